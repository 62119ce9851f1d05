/// What a server is doing: numbers for metrics and tests.
public struct ServerStatistics: Sendable, Equatable {
  /// Calls that have not ended, with those that were refused and have not been told yet.
  public let liveCalls: Int
  /// Calls that were taken and have not ended: at most `maxConcurrentCalls`.
  public let runningCalls: Int
  /// Calls for whose callers nobody vouches.
  public let strangerCalls: Int
  /// Addresses that have calls, without this machine's.
  public let addresses: Int
  /// Connections that are not read just now, because of what they have caused.
  public let heldConnections: Int
  /// Connections since the start that were ended because they sent neither calls nor messages.
  public let overrunConnections: Int
  /// Calls since the start.
  public let totalCalls: Int
  /// Calls refused because too many ran, or too many of their kind.
  public let refusedCalls: Int
  /// Operations of calls, by anyone on the server's loops, that have not come back.
  public let liveBatches: Int
}
