import CGRPC
import CGRPCSupport

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

  /// Gives one send to gRPC, or says why not. Under the lock.
  private func start(_ send: QueuedSend, _ state: inout ServerCallState) -> (any Error)? {
    if state.isCancelled || state.isEnded || state.isHandlerDone { return goneStatus }
    var batch = tmrpc_send()
    // Headers in a batch with a message that is held back would be held back too, and the batch with them.
    let holdsBack = send.moreToCome && state.isInitialMetadataSent
    if !state.isInitialMetadataSent {
      if let key = state.initialMetadata.firstIllegalKey {
        return RPCStatus(.internal, "the initial metadata has an illegal entry: \(key)")
      }
      takeInitialMetadata(&batch, &state)
    }
    let error: grpc_call_error
    if let message = send.message {
      batch.message_flags = holdsBack ? tmrpc_buffer_hint() : 0
      error = withUnsafePointer(to: message.slice) { slice in
        batch.message = slice
        return tmrpc_start_send(slots, &batch)
      }
    } else {
      error = tmrpc_start_send(slots, &batch)
    }
    guard error == GRPC_CALL_OK else { return goneStatus }
    state.isInitialMetadataSent = true
    state.isSending = true
    state.sender = send.continuation
    state.senderToken = send.token
    state.outstanding += 1
    loop.batchStarted()
    return nil
  }

  private func takeInitialMetadata(_ batch: inout tmrpc_send, _ state: inout ServerCallState) {
    batch.with_initial = 1
    if slots.pointee.sent_initial.count == 0 { state.initialMetadata.append(to: &slots.pointee.sent_initial) }
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
    tmrpc_send_done(slots)
    loop.batchEnded()
    var sender: SendContinuation?
    var failed: [QueuedSend] = []
    var finishes = false
    var task: Task<Void, Never>?
    state.withLock { state in
      state.outstanding -= 1
      state.isSending = false
      swap(&sender, &state.sender)
      if !success { task = state.cancelled() }
      while !state.isSending, !state.queuedSends.isEmpty {
        let next = state.queuedSends.removeFirst()
        if !success || start(next, &state) != nil { failed.append(next) }
      }
      if !state.isSending, state.isHandlerDone { sendStatus(&state) }
      finishes = state.finishes()
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
    var batch = tmrpc_send()
    if !state.isInitialMetadataSent {
      if state.initialMetadata.firstIllegalKey != nil { state.initialMetadata = Metadata() }
      takeInitialMetadata(&batch, &state)
      state.isInitialMetadataSent = true
    }
    batch.with_status = 1
    batch.status = grpc_status_code(status.code.rawValue)
    state.trailingMetadata.legalEntries.append(to: &slots.pointee.sent_trailing)
    if !status.details.isEmpty { slots.pointee.sent_trailing.append("grpc-status-details-bin", status.details) }
    let last = status.code == .ok ? state.lastMessage : nil
    var text = status.message
    let error = text.withUTF8 { text in
      batch.status_message = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
      batch.status_message_length = text.count
      guard let last else { return tmrpc_start_send(slots, &batch) }
      return withUnsafePointer(to: last.slice) { slice in
        batch.message = slice
        return tmrpc_start_send(slots, &batch)
      }
    }
    state.lastMessage = nil
    guard error == GRPC_CALL_OK else {
      // The call ends with a cancellation instead of a status; its end comes with RECV_CLOSE.
      grpc_call_cancel(slots.pointee.call, nil)
      return
    }
    state.isSending = true
    state.outstanding += 1
    loop.batchStarted()
  }
}
