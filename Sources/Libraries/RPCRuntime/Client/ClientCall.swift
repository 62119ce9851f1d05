/// One call to a server: what a client writes to and reads from.
///
/// All four kinds of call are the same primitive: send messages, half-close with `finishSending()` or `sendLast(_:)`,
/// and read messages until nil. `send` and `next()` may run in two child tasks at once. A call ends when its status
/// has arrived; a call that is dropped before is cancelled. Read to the end, or cancel: gRPC delivers the status behind
/// the last message.
public final class ClientCall: Sendable {
  private let core: ClientCallCore

  init(core: ClientCallCore) { self.core = core }

  deinit { core.cancel() }

  /// Sends one message; returns when flow control has accepted it, which says nothing of its delivery. Cancelling the
  /// task cancels the call.
  ///
  /// - Parameter moreToCome: gRPC may hold the message back and put it on the wire together with the next one.
  /// - Throws: the `RPCStatus` that the call ended with; FAILED_PRECONDITION when it ended with OK or was half-closed.
  public nonisolated(nonsending) func send(_ message: RPCMessage, moreToCome: Bool = false) async throws {
    try await core.send(message, moreToCome: moreToCome, isLast: false)
  }

  /// Sends the last message and half-closes the call, in one piece.
  ///
  /// - Throws: as `send(_:moreToCome:)`.
  public nonisolated(nonsending) func sendLast(_ message: RPCMessage) async throws {
    try await core.send(message, moreToCome: false, isLast: true)
  }

  /// Sends the last message and half-closes the call, without waiting for either.
  func startSendingLast(_ message: RPCMessage) { core.startSendingLast(message) }

  /// Half-closes the call: the server's `next()` returns nil after the last message.
  ///
  /// - Throws: as `send(_:moreToCome:)`.
  public nonisolated(nonsending) func finishSending() async throws {
    try await core.send(nil, moreToCome: false, isLast: true)
  }

  /// Reads the server's next message; nil when the call has ended with OK. One read may wait at a time. Cancelling the
  /// task cancels the call.
  ///
  /// - Throws: the `RPCStatus` that the call ended with.
  public nonisolated(nonsending) func next() async throws -> RPCMessage? { try await core.next() }

  /// The response's headers, once they are there; empty when the server sent none before its status.
  ///
  /// - Throws: the `RPCStatus` that the call ended with when it ended without headers.
  public nonisolated(nonsending) func initialMetadata() async throws -> Metadata { try await core.initialMetadata() }

  /// Waits for the call's end and returns its status.
  public var status: RPCStatus { get async { await core.status() } }

  /// The response's trailers, without the status; empty until the call has ended.
  public var trailingMetadata: Metadata { core.trailingMetadata }

  /// Cancels the call, which ends with CANCELLED unless it has ended. Safe from any thread, and more than once.
  public func cancel() { core.cancel() }
}
