extension ServerCall {
  /// Sends one message; returns when flow control has accepted it, which says nothing of its delivery.
  ///
  /// Sends of several tasks go out one after another, in the order they were called in. A child task that is cancelled
  /// while its message is on its way stops waiting with `CancellationError`; the message still goes out. One that was
  /// still behind another is not sent.
  ///
  /// - Parameter moreToCome: gRPC may hold the message back and put it on the wire together with the next one.
  /// - Throws: `RPCStatus` CANCELLED or DEADLINE_EXCEEDED when the call is gone; INTERNAL when the initial metadata
  ///   holds a key or value that HTTP/2 does not allow; `CancellationError`.
  public nonisolated(nonsending) func send(_ message: RPCMessage, moreToCome: Bool = false) async throws {
    try await send(message as RPCMessage?, moreToCome: moreToCome)
  }

  /// Sends a message together with the status, in one batch, when the handler returns OK: the cheapest way to answer a
  /// unary call. The message is dropped when the handler throws.
  public func sendLast(_ message: RPCMessage) {
    state.withLock { $0.lastMessage = message }
  }

  /// Sets the response's headers. They go out with the first message, or with the status when there is none, and
  /// cannot change after that.
  public func setInitialMetadata(_ metadata: Metadata) {
    state.withLock { $0.initialMetadata = metadata }
  }

  /// Sends the response's headers now, ahead of the first message. Does nothing when they are out.
  ///
  /// - Throws: as `send(_:moreToCome:)`.
  public nonisolated(nonsending) func sendInitialMetadata() async throws {
    if state.withLock({ $0.isInitialMetadataSent }) { return }
    try await send(nil, moreToCome: false)
  }

  /// Sets the response's trailers, which go out with the status. Entries that HTTP/2 does not allow are left out.
  public func setTrailingMetadata(_ metadata: Metadata) {
    state.withLock { $0.trailingMetadata = metadata }
  }

  private nonisolated(nonsending) func send(_ message: RPCMessage?, moreToCome: Bool) async throws {
    if isOnHandlerTask {
      return try await withUnsafeThrowingContinuation { continuation in
        submit(QueuedSend(message: message, moreToCome: moreToCome, token: 0, continuation: continuation))
      }
    }
    let token = newToken()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        submit(QueuedSend(message: message, moreToCome: moreToCome, token: token, continuation: continuation))
      }
    } onCancel: {
      abandonSend(token)
    }
  }

  private func submit(_ send: QueuedSend) {
    let failure = state.withLock { state -> (any Error)? in
      if let ending = state.ending { return ending }
      if send.token != 0, Task.isCancelled { return CancellationError() }
      if state.isSending {
        state.queuedSends.append(send)
        return nil
      }
      return start(send, &state)
    }
    if let failure { send.continuation?.resume(throwing: failure) }
  }

  /// Gives one send to the wire, or says why not. Under the lock.
  private func start(_ send: QueuedSend, _ state: inout ServerCallState) -> (any Error)? {
    if state.isCancelled || state.isEnded || state.isHandlerDone { return goneStatus }
    if !state.isInitialMetadataSent, let key = state.initialMetadata.firstIllegalKey {
      return RPCStatus(.internal, "the initial metadata has an illegal entry: \(key)")
    }
    // Headers in a batch with a message that is held back would be held back too, and the batch with them.
    let holdsBack = send.moreToCome && state.isInitialMetadataSent
    let head = state.isInitialMetadataSent ? nil : state.initialMetadata
    guard wire.startSend(send.message, initialMetadata: head, holdsBack: holdsBack) else { return goneStatus }
    state.isInitialMetadataSent = true
    state.isSending = true
    state.sender = send.continuation
    state.senderToken = send.token
    state.outstanding += 1
    if !state.isAnswered { countUnfinished(&state) }
    loop.batchStarted()
    return nil
  }

  private func abandonSend(_ token: UInt64) {
    let (continuation, isGone) = state.withLock { state -> (SendContinuation?, Bool) in
      if state.senderToken == token, let sender = state.sender {
        state.sender = nil
        return (sender, state.isCancelled)
      }
      if let index = state.queuedSends.firstIndex(where: { $0.token == token }) {
        return (state.queuedSends.remove(at: index).continuation, state.isCancelled)
      }
      return (nil, false)
    }
    continuation?.resume(throwing: isGone ? goneStatus : CancellationError())
  }

  /// The send came back: a message, or the status. Loop thread only.
  func sendCompleted(_ success: Bool) {
    loop.batchEnded()
    connection?.moved()
    var sender: SendContinuation?
    var failed: [QueuedSend] = []
    var finishes = false
    var task: Task<Void, Never>?
    state.withLock { state in
      state.outstanding -= 1
      state.isSending = false
      if !state.isAnswered {
        state.isAnswered = success
        countUnfinished(&state)
      }
      swap(&sender, &state.sender)
      if !success { task = state.cancelled() }
      while !state.isSending, !state.queuedSends.isEmpty {
        let next = state.queuedSends.removeFirst()
        if !success || start(next, &state) != nil { failed.append(next) }
      }
      if !state.isSending, state.isHandlerDone { sendStatus(&state) }
      finishes = leaves(&state)
    }
    task?.cancel()
    if let sender {
      if success { sender.resume() } else { sender.resume(throwing: goneStatus) }
    }
    for send in failed { send.continuation?.resume(throwing: goneStatus) }
    if finishes { finish() }
  }

  /// Sends the handler's status, with the last message and the headers if they are still to go. Under the lock.
  func sendStatus(_ state: inout ServerCallState) {
    guard let status = state.status, !state.isStatusSent, !state.isEnded, !state.isCancelled else { return }
    state.isStatusSent = true
    var head: Metadata?
    if !state.isInitialMetadataSent {
      head = state.initialMetadata.firstIllegalKey == nil ? state.initialMetadata : Metadata()
      state.isInitialMetadataSent = true
    }
    let last = status.code == .ok ? state.lastMessage : nil
    state.lastMessage = nil
    // Refused, the call is gone, and its end is on its way.
    guard
      wire.startStatus(
        status, last: last, initialMetadata: head, trailingMetadata: state.trailingMetadata.legalEntries)
    else { return }
    state.isSending = true
    state.outstanding += 1
    if !state.isAnswered { countUnfinished(&state) }
    loop.batchStarted()
  }
}
