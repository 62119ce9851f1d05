import CGRPC
import CGRPCSupport

extension ServerCall {
  /// Reads the client's next message; nil once the client has half-closed.
  ///
  /// One read may wait at a time. A child task that is cancelled while it waits stops waiting with
  /// `CancellationError` and loses nothing: the message it waited for goes to the next `next()`.
  ///
  /// - Throws: `RPCStatus` CANCELLED or DEADLINE_EXCEEDED when the call is gone, RESOURCE_EXHAUSTED when the message is
  ///   longer than the call's limit; `CancellationError`.
  public nonisolated(nonsending) func next() async throws -> RPCMessage? {
    if isOnHandlerTask {
      return try await withUnsafeThrowingContinuation { receive($0, token: 0) }
    }
    let token = newToken()
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { receive($0, token: token) }
    } onCancel: {
      abandonReceive(token)
    }
  }

  func newToken() -> UInt64 {
    state.withLock { state in
      state.lastToken += 1
      return state.lastToken
    }
  }

  private func receive(_ continuation: ReceiveContinuation, token: UInt64) {
    let answer: Result<RPCMessage?, any Error>? = state.withLock { state in
      if let message = state.unclaimed {
        state.unclaimed = nil
        return .success(message)
      }
      if let failure = state.readFailure { return .failure(failure) }
      if state.isCancelled || state.isEnded { return .failure(goneStatus) }
      if state.isReadEnded { return .success(nil) }
      if state.receiver != nil { return .failure(RPCStatus(.internal, "two tasks read one call at once")) }
      if token != 0, Task.isCancelled { return .failure(CancellationError()) }
      if !state.isReceiving && !state.isEndUnsettled {
        guard tmrpc_start_receive(slots) == GRPC_CALL_OK else { return .failure(goneStatus) }
        state.isReceiving = true
        state.outstanding += 1
        loop.batchStarted()
      }
      state.receiver = continuation
      state.receiverToken = token
      return nil
    }
    if let answer { continuation.resume(with: answer) }
  }

  private func abandonReceive(_ token: UInt64) {
    let (continuation, isGone) = state.withLock { state -> (ReceiveContinuation?, Bool) in
      guard state.receiverToken == token, let continuation = state.receiver else { return (nil, false) }
      state.receiver = nil
      return (continuation, state.isCancelled)
    }
    continuation?.resume(throwing: isGone ? goneStatus : CancellationError())
  }

  /// The read came back. Loop thread only.
  func receiveCompleted(_ success: Bool) {
    var slice = grpc_slice()
    let message = tmrpc_take_received(slots, &slice) != 0 ? RPCMessage(owning: slice) : nil
    loop.batchEnded()
    var failure: RPCStatus?
    var isTooLong = false
    var finishes = false
    let receiver = state.withLock { state -> ReceiveContinuation? in
      state.isReceiving = false
      state.outstanding -= 1
      finishes = state.finishes()
      if let message, success {
        let limit = state.limits.maxReceiveMessageBytes ?? .max
        if message.count > limit {
          isTooLong = true
          failure = RPCStatus(.resourceExhausted, "the message has \(message.count) bytes; the limit is \(limit)")
          state.readFailure = failure
        } else if state.receiver == nil {
          state.unclaimed = message
        }
      } else if state.isCancelled || state.isEnded || !success {
        if !success && !state.isEnded { state.isReadEnded = true }
        failure = state.isReadEnded && !state.isCancelled ? brokenStatus : goneStatus
        state.readFailure = failure
      } else {
        state.isEndUnsettled = true
        return nil
      }
      defer { state.receiver = nil }
      return state.receiver
    }
    if finishes { finish() }
    if let receiver {
      if let failure { receiver.resume(throwing: failure) } else { receiver.resume(returning: message) }
    } else if !isTooLong, failure == nil, message == nil {
      loop.resolveWhenQuiet(self)
    }
  }

  /// gRPC reads no further when a message is over the server's limit or cannot be decompressed, and ends the call with
  /// its own status.
  private var brokenStatus: RPCStatus {
    RPCStatus(.resourceExhausted, "the message is longer than the server takes, or not readable")
  }

  /// No cancellation came along with the end of the stream: the client half-closed. Loop thread only.
  func endOfStreamSettled() {
    let (receiver, isGone) = state.withLock { state -> (ReceiveContinuation?, Bool) in
      state.isEndUnsettled = false
      state.isReadEnded = true
      defer { state.receiver = nil }
      return (state.receiver, state.isCancelled)
    }
    if isGone { receiver?.resume(throwing: goneStatus) } else { receiver?.resume(returning: nil) }
  }
}
