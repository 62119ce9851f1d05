/// Writes the body of an answer, for one task at a time.
public struct HTTPBodyWriter: Sendable {
  private let exchange: Exchange

  init(_ exchange: Exchange) { self.exchange = exchange }

  /// The client takes nothing more.
  public struct Gone: Error {}

  /// Adds to the body. At most one write waits to be sent: it returns when the one before was taken over, so that who
  /// writes is as fast as the client. What is written is not copied, but for what goes to the system just then: many
  /// streams can share one array.
  ///
  /// - Throws: `Gone` when the connection has ended: because the client closed it, or did not take what waited in
  ///   `HTTPLimits.takingTime`, or the server ends; and when the task is cancelled while it waits.
  public func write(_ bytes: [UInt8]) async throws(Gone) {
    guard await exchange.write(bytes) else { throw Gone() }
  }

  /// Breaks the connection off, for an answer that does not become whole: a client that knows chunks sees that its end is
  /// missing. What waits to be sent is dropped.
  public func abort() { exchange.abort() }
}
