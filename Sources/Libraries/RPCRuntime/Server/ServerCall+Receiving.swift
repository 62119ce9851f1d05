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
      if let ending = state.ending { return .failure(ending) }
      if let message = state.unclaimed {
        state.unclaimed = nil
        return .success(message)
      }
      if let failure = state.readFailure { return .failure(failure) }
      if state.isCancelled || state.isEnded { return .failure(goneStatus) }
      if state.isReadEnded { return .success(nil) }
      if state.receiver != nil { return .failure(RPCStatus(.internal, "two tasks read one call at once")) }
      if token != 0, Task.isCancelled { return .failure(CancellationError()) }
      guard state.isReceiving || startReceive(&state) else { return .failure(goneStatus) }
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

  /// Gives a read to the wire. Under the lock.
  private func startReceive(_ state: inout ServerCallState) -> Bool {
    guard wire.startReceive() else { return false }
    state.isReceiving = true
    state.outstanding += 1
    countUnfinished(&state)
    loop.batchStarted()
    return true
  }

  /// The read came back. Loop thread only.
  ///
  /// - Parameters:
  ///   - message: nil when there is none any more.
  ///   - success: whether the stream is sound.
  func receiveCompleted(_ message: RPCMessage?, _ success: Bool) {
    loop.batchEnded()
    if silence != nil { heard(message) }
    var answer: Result<RPCMessage?, any Error>?
    var receiver: ReceiveContinuation?
    var task: Task<Void, Never>?
    let finishes = state.withLock { state in
      state.isReceiving = false
      state.outstanding -= 1
      answer = outcome(of: message, success, &state)
      if answer != nil { swap(&receiver, &state.receiver) }
      if let message, answer != nil, receiver == nil { state.unclaimed = message }
      if !success { task = state.cancelled() }
      countUnfinished(&state)
      return leaves(&state)
    }
    task?.cancel()
    if let answer { receiver?.resume(with: answer) }
    if finishes { finish() }
  }

  /// The first read came back. Loop thread only.
  private func heard(_ message: RPCMessage?) {
    loop.silentCalls.remove(self)
    if message != nil, isAnonymous { server.heard(self) }
  }

  /// What a read has to say to its waiter; nil when that takes another read. Under the lock.
  private func outcome(
    of message: RPCMessage?, _ success: Bool, _ state: inout ServerCallState
  ) -> Result<RPCMessage?, any Error>? {
    if let message, success {
      let limit = state.limits.maxReceiveMessageBytes ?? .max
      if message.count <= limit { return .success(message) }
      state.readFailure = RPCStatus(
        .resourceExhausted, "the message has \(message.count) bytes; the limit is \(limit)")
    } else if state.isCancelled || state.isEnded {
      state.readFailure = goneStatus
    } else if !success {
      // gRPC ends the call with its own status, and reads no further.
      state.readFailure = RPCStatus(
        .resourceExhausted, "the message is longer than the server takes")
    } else if state.endProbesLeft > 0, startReceive(&state) {
      state.endProbesLeft -= 1
      return nil
    } else {
      state.isReadEnded = true
      return .success(nil)
    }
    return .failure(state.readFailure!)
  }
}
