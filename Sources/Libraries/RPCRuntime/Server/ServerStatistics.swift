/// What a server is doing: numbers for metrics and tests.
public struct ServerStatistics: Sendable, Equatable {
  /// Calls that have not ended.
  public let liveCalls: Int
  /// Calls for whose callers nobody vouches.
  public let strangerCalls: Int
  /// Addresses that have calls, without this machine's.
  public let addresses: Int
  /// Calls since the start.
  public let totalCalls: Int
  /// Calls refused because too many ran, or too many of their kind.
  public let refusedCalls: Int
  /// Operations of calls, by anyone on the server's loops, that have not come back.
  public let liveBatches: Int
}
