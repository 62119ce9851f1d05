/// The client's end: what its `LocalCall` asks for. Any thread.
extension LocalWire {
  var initialMetadata: Metadata { state.withLock { $0.initialMetadata } }

  var trailingMetadata: Metadata { state.withLock { $0.trailingMetadata } }

  nonisolated(nonsending) func next() async throws -> RPCMessage? {
    let (answer, token) = state.withLock { state in (read(&state), state.newToken()) }
    if let answer { return try answer.get() }
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { wait(for: $0, token) }
    } onCancel: {
      abandonRead(token)
    }
  }

  /// What there is to read. Under the lock.
  private func read(_ state: inout LocalWireState) -> Result<RPCMessage?, any Error>? {
    // A second reader takes nothing before the first.
    if state.reader != nil { return .failure(RPCStatus(.internal, "two tasks read one call at once")) }
    let answer = state.takeAnswer()
    if answer != nil, state.isSending { post(&state) }
    return answer
  }

  private func wait(for continuation: ReceiveContinuation, _ token: UInt64) {
    let answer = state.withLock { state -> Result<RPCMessage?, any Error>? in
      if let answer = read(&state) { return answer }
      if Task.isCancelled { return .failure(CancellationError()) }
      (state.reader, state.readerToken) = (continuation, token)
      return nil
    }
    if let answer { continuation.resume(with: answer) }
  }

  private func abandonRead(_ token: UInt64) {
    let reader = state.withLock { state -> ReceiveContinuation? in
      guard state.readerToken == token else { return nil }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(throwing: CancellationError())
  }

  nonisolated(nonsending) func isWanted() async throws -> Bool {
    let (isWanted, token) = state.withLock { state in (state.isWanted, state.newToken()) }
    if let isWanted { return isWanted }
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { waitUntilWanted($0, token) }
    } onCancel: {
      abandonStart(token)
    }
  }

  private func waitUntilWanted(_ continuation: UnsafeContinuation<Bool, any Error>, _ token: UInt64) {
    let answer = state.withLock { state -> Result<Bool, any Error>? in
      if let isWanted = state.isWanted { return .success(isWanted) }
      if state.starter != nil { return .failure(RPCStatus(.internal, "two tasks wait for one call at once")) }
      if Task.isCancelled { return .failure(CancellationError()) }
      (state.starter, state.starterToken) = (continuation, token)
      return nil
    }
    if let answer { continuation.resume(with: answer) }
  }

  private func abandonStart(_ token: UInt64) {
    let starter = state.withLock { state -> UnsafeContinuation<Bool, any Error>? in
      guard state.starterToken == token else { return nil }
      defer { state.starter = nil }
      return state.starter
    }
    starter?.resume(throwing: CancellationError())
  }

  /// Calls `stop` once the call has ended, and at once where it has; nil: nobody is to be told any more.
  func watchEnd(_ stop: (@Sendable () -> Void)?) {
    let isEnded = state.withLock { state in
      state.stop = state.status == nil ? stop : nil
      return state.status != nil
    }
    if isEnded { stop?() }
  }

  nonisolated(nonsending) func send(_ message: RPCMessage) async throws {
    let token = state.withLock { $0.newToken() }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { submit(message, $0, token) }
    } onCancel: {
      abandonSend(token)
    }
  }

  private func submit(_ message: RPCMessage, _ continuation: SendContinuation, _ token: UInt64) {
    let failure = state.withLock { state -> (any Error)? in
      if let status = state.status { return status.asSendFailure }
      if state.isHalfClosed { return RPCStatus(.failedPrecondition, "the call is half-closed") }
      if state.sender != nil { return RPCStatus(.internal, "two tasks send in one call at once") }
      if Task.isCancelled { return CancellationError() }
      (state.request, state.sender, state.senderToken) = (message, continuation, token)
      if state.isReceiving { post(&state) }
      return nil
    }
    if let failure { continuation.resume(throwing: failure) }
  }

  private func abandonSend(_ token: UInt64) {
    let sender = state.withLock { state -> SendContinuation? in
      guard state.senderToken == token, let sender = state.sender else { return nil }
      (state.sender, state.request) = (nil, nil)
      return sender
    }
    sender?.resume(throwing: CancellationError())
  }

  func finishSending() {
    state.withLock { state in
      state.isHalfClosed = true
      if state.isReceiving { post(&state) }
    }
  }
}
