extension Server {
  /// Makes a call to this server from within its process. It runs as a call over the network does: behind the same
  /// interceptors and limits, and counted for its client's address. It begins at once.
  ///
  /// Made on one of the server's loops, the call is bound to that loop, and none of its messages changes the thread if
  /// its client stays there as well.
  ///
  /// - Parameters:
  ///   - path: `/package.Service/Method`.
  ///   - metadata: the request's headers. From a trusted proxy, `x-forwarded-for` in them says who is behind it.
  ///   - peer: for whom the call is made, as gRPC writes it, such as "ipv4:192.0.2.1:50123".
  ///   - deadline: how long the call may take, from now; it ends with DEADLINE_EXCEEDED then. nil means for ever.
  /// - Returns: a call that ends with UNAVAILABLE if the server has not started or is shutting down, with INTERNAL if
  ///   the headers hold a key or value that HTTP/2 does not allow, and with RESOURCE_EXHAUSTED if they are larger than
  ///   `ServerConfiguration.maxMetadataBytes`.
  public func call(_ path: String, metadata: Metadata = [:], peer: String, deadline: Duration? = nil) -> LocalCall {
    let wire = LocalWire(path, metadata: metadata, peer: peer, deadline: deadline, to: self, on: nearestLoop)
    wire.begin()
    return LocalCall(wire)
  }
}

/// One call to a server of the same process: what its client writes to and reads from.
///
/// One message waits in each direction, and it is passed on as the object it is. `send` and `next()` may run in two
/// tasks at once. A call that is dropped before its end is cancelled.
public final class LocalCall: Sendable {
  let wire: LocalWire

  init(_ wire: LocalWire) { self.wire = wire }

  deinit { wire.cancel(with: .callCancelled) }

  /// Waits until the handler reads a message, or the call has ended. So a client that has its message from somewhere else
  /// need not take it from there for a call that is refused. One such wait at a time.
  ///
  /// - Returns: false where the call has ended, with what `next()` says.
  /// - Throws: `CancellationError`.
  public nonisolated(nonsending) func isWanted() async throws -> Bool { try await wire.isWanted() }

  /// Runs something that is only of use while the call goes on, such as reading what is to be sent.
  ///
  /// - Parameters:
  ///   - stop: called once if the call ends meanwhile, or has ended; on any thread.
  ///   - body: what is run; one at a time. It goes on until it has seen what `stop` does.
  public nonisolated(nonsending) func whileOpen<Value>(
    stop: @escaping @Sendable () -> Void, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    wire.watchEnd(stop)
    defer { wire.watchEnd(nil) }
    return try await body()
  }

  /// Sends one message; returns when the handler has taken it. One send may wait at a time. A task that is cancelled
  /// while it waits stops waiting, and its message is not sent; the call goes on.
  ///
  /// - Throws: the `RPCStatus` that the call ended with; FAILED_PRECONDITION when it ended with OK or was half-closed;
  ///   `CancellationError`.
  public nonisolated(nonsending) func send(_ message: RPCMessage) async throws { try await wire.send(message) }

  /// Half-closes the call: the handler's `next()` returns nil after the last message.
  public func finishSending() { wire.finishSending() }

  /// Reads the handler's next message; nil when the call has ended with OK. One read may wait at a time. A task that is
  /// cancelled while it waits stops waiting, and loses nothing: the message goes to the next `next()`.
  ///
  /// - Throws: the `RPCStatus` that the call ended with; `CancellationError`.
  public nonisolated(nonsending) func next() async throws -> RPCMessage? { try await wire.next() }

  /// Reads the response of a call that has one, and its end.
  ///
  /// - Throws: as `next()`; INTERNAL where there is no response, or another one.
  public nonisolated(nonsending) func only() async throws -> RPCMessage {
    guard let response = try await next() else { throw RPCStatus(.internal, "the call ended without a response") }
    // The status follows the response, and counts.
    guard try await next() == nil else { throw RPCStatus(.internal, "the call had more than one response") }
    return response
  }

  /// The longest message that the method takes, in bytes; what any takes, where there is no such method.
  public var maxMessageBytes: Int { wire.server.maxMessageBytes(at: wire.path) }

  /// The response's headers: all of them once the first message or the end is there; empty before.
  public var initialMetadata: Metadata { wire.initialMetadata }

  /// The response's trailers, without the status; empty until the call has ended.
  public var trailingMetadata: Metadata { wire.trailingMetadata }

  /// Cancels the call, which ends with CANCELLED unless it has ended: what has not been read is dropped. Safe from any
  /// thread, and more than once.
  public func cancel() { wire.cancel(with: .callCancelled) }

  /// The same for a reason that the client has: `next()` and `send` throw it. The handler sees a call that was cancelled.
  public func cancel(because reason: RPCStatus) { wire.cancel(with: reason) }
}

extension RPCStatus {
  fileprivate static let callCancelled = RPCStatus(.cancelled, "the call was cancelled")
}
