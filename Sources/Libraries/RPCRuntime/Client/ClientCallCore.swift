import CGRPC
import CGRPCSupport
import Synchronization

/// The machinery of a client call, which outlives the handle that the caller holds until gRPC has let go of it.
// @unchecked: `slots` is made once, under the lock of `state`, before gRPC or anyone else uses it.
final class ClientCallCore: @unchecked Sendable {
  let path: String
  let loop: EventLoop
  private let channel: Channel
  private let metadata: Metadata
  private let waitsForReady: Bool
  private let deadline: gpr_timespec
  private var slots: UnsafeMutablePointer<tmrpc_call>?
  private let state = Mutex(ClientCallState())

  init(
    channel: Channel, path: String, metadata: Metadata, deadline: Duration?, waitsForReady: Bool, loop: EventLoop
  ) {
    self.channel = channel
    self.path = path
    self.metadata = metadata
    self.waitsForReady = waitsForReady
    self.loop = loop
    self.deadline = deadline.map { .after($0) } ?? gpr_inf_future(GPR_CLOCK_MONOTONIC)
  }

  deinit {
    if let slots { tmrpc_call_destroy(slots) }
  }

  // MARK: Start and end

  /// Starts the call with gRPC unless it is started: headers go out with the first send, or now if there is none.
  /// Under the lock.
  private func startIfNeeded(_ state: inout ClientCallState, sendsNow: Bool = false) {
    if state.status != nil { return }
    if !state.isStarted {
      if state.isCancelled { return fail(RPCStatus(.cancelled, "the call was cancelled"), &state) }
      if let key = metadata.firstIllegalKey {
        return fail(RPCStatus(.internal, "the metadata has an illegal entry: \(key)"), &state)
      }
      guard let call = channel.start(self, deadline: deadline) else {
        return fail(RPCStatus(.unavailable, "the channel is closed"), &state)
      }
      state.isStarted = true
      // Unmanaged: no reference here, because `channel.start` has put this into the channel's calls. It stays there
      // until the last tag is back, when one of the four completions below calls `channel.callEnded`.
      slots = tmrpc_call_create(call, Unmanaged.passUnretained(self).toOpaque(), UInt32(TMRPC_CLIENT_RECEIVE))
      metadata.append(to: &slots!.pointee.sent_initial)
      count(tmrpc_start_client_end(slots), &state)
      count(tmrpc_start_client_head(slots), &state)
    }
    if sendsNow, !state.isInitialMetadataSent, !state.isSending {
      _ = start(nil, moreToCome: false, isLast: false, &state)
    }
  }

  private func fail(_ status: RPCStatus, _ state: inout ClientCallState) {
    state.status = status
    state.isReadEnded = true
    state.isHeadMissing = true
  }

  private func count(_ error: grpc_call_error, _ state: inout ClientCallState) {
    precondition(error == GRPC_CALL_OK, "gRPC refused to start a call: \(error.rawValue)")
    state.outstanding += 1
    loop.batchStarted()
  }

  func cancel() {
    let call = state.withLock { state -> OpaquePointer? in
      if state.isCancelled || state.status != nil { return nil }
      state.isCancelled = true
      return slots?.pointee.call
    }
    // The caller holds this object, and this object holds the call.
    if let call { grpc_call_cancel(call, nil) }
  }

  func status() async -> RPCStatus {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let status = state.withLock { state -> RPCStatus? in
          startIfNeeded(&state, sendsNow: true)
          if state.status == nil { state.endWaiters.append(continuation) }
          return state.status
        }
        if let status { continuation.resume(returning: status) }
      }
    } onCancel: {
      cancel()
    }
  }

  var trailingMetadata: Metadata { state.withLock { $0.trailingMetadata } }

  /// The status is there. Loop thread only.
  func endCompleted() {
    loop.batchEnded()
    let slots = slots!
    var trailing = Metadata(copying: slots.pointee.trailing)
    let details = trailing.firstBinary("grpc-status-details-bin") ?? []
    trailing.removeAll("grpc-status-details-bin")
    let status = RPCStatus(
      RPCCode(rawValue: Int32(slots.pointee.status.rawValue)) ?? .unknown,
      String(copying: slots.pointee.status_message), details: details)
    let (waiters, finishes) = state.withLock { state in
      state.outstanding -= 1
      state.status = status
      state.trailingMetadata = trailing
      return (ClientCallWaiters(from: &state), state.finishes())
    }
    if finishes { channel.callEnded(self) }
    waiters.resume(status)
  }

  // MARK: Headers

  func initialMetadata() async throws -> Metadata {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Metadata, any Error>? in
          startIfNeeded(&state, sendsNow: true)
          if let metadata = state.initialMetadata { return .success(metadata) }
          if state.isHeadMissing, let status = state.status {
            return status.code == .ok ? .success(Metadata()) : .failure(status)
          }
          state.headWaiters.append(continuation)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// The headers are there, or will never be. Loop thread only.
  func headCompleted(_ success: Bool) {
    loop.batchEnded()
    var metadata: Metadata?
    var heads: [UnsafeContinuation<Metadata, any Error>] = []
    var late: (ClientCallWaiters, RPCStatus)?
    let finishes = state.withLock { state in
      state.outstanding -= 1
      if success {
        metadata = Metadata(copying: slots!.pointee.initial)
        state.initialMetadata = metadata
        swap(&heads, &state.headWaiters)
      } else {
        state.isHeadMissing = true
        if let status = state.status { late = (ClientCallWaiters(from: &state), status) }
      }
      return state.finishes()
    }
    if finishes { channel.callEnded(self) }
    if let metadata { for head in heads { head.resume(returning: metadata) } }
    if let late { late.0.resume(late.1) }
  }

  // MARK: Receiving

  nonisolated(nonsending) func next() async throws -> RPCMessage? {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { receive($0) }
    } onCancel: {
      cancel()
    }
  }

  private func receive(_ continuation: ReceiveContinuation) {
    let answer = state.withLock { state -> Result<RPCMessage?, any Error>? in
      startIfNeeded(&state, sendsNow: true)
      if state.isReadEnded, let status = state.status { return status.code == .ok ? .success(nil) : .failure(status) }
      if state.receiver != nil { return .failure(RPCStatus(.internal, "two tasks read one call at once")) }
      state.receiver = continuation
      if !state.isReadEnded && !state.isReceiving {
        count(tmrpc_start_receive(slots), &state)
        state.isReceiving = true
      }
      return nil
    }
    if let answer { continuation.resume(with: answer) }
  }

  /// The read came back: with a message, or with none because the end is near. Loop thread only.
  func receiveCompleted(_ success: Bool) {
    loop.batchEnded()
    var slice = grpc_slice()
    let received = tmrpc_take_received(slots, &slice) != 0 ? RPCMessage(owning: slice) : nil
    let message = success ? received : nil
    var receiver: ReceiveContinuation?
    var late: (ClientCallWaiters, RPCStatus)?
    let finishes = state.withLock { state in
      state.outstanding -= 1
      state.isReceiving = false
      if message != nil {
        swap(&receiver, &state.receiver)
      } else {
        state.isReadEnded = true
        if let status = state.status { late = (ClientCallWaiters(from: &state), status) }
      }
      return state.finishes()
    }
    if finishes { channel.callEnded(self) }
    receiver?.resume(returning: message)
    if let late { late.0.resume(late.1) }
  }

  // MARK: Sending

  nonisolated(nonsending) func send(_ message: RPCMessage?, moreToCome: Bool, isLast: Bool) async throws {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        submit(
          QueuedSend(message: message, moreToCome: moreToCome, isLast: isLast, token: 0, continuation: continuation))
      }
    } onCancel: {
      cancel()
    }
  }

  func startSendingLast(_ message: RPCMessage) {
    submit(QueuedSend(message: message, moreToCome: false, isLast: true, token: 0, continuation: nil))
  }

  private func submit(_ send: QueuedSend) {
    let failure = state.withLock { state -> RPCStatus? in
      startIfNeeded(&state)
      if let status = state.status { return status.asSendFailure }
      if state.isHalfClosed { return RPCStatus(.failedPrecondition, "the call is half-closed") }
      if send.isLast { state.isHalfClosed = true }
      if state.isSending {
        state.queuedSends.append(send)
      } else {
        run(send, &state)
      }
      return nil
    }
    if let failure { send.continuation?.resume(throwing: failure) }
  }

  /// Starts a send whose turn it is; one that gRPC refuses waits for the status that tells why. Under the lock.
  private func run(_ send: QueuedSend, _ state: inout ClientCallState) {
    if start(send.message, moreToCome: send.moreToCome, isLast: send.isLast, &state) {
      state.sender = send.continuation
    } else if let continuation = send.continuation {
      state.failedSenders.append(continuation)
    }
  }

  private func start(_ message: RPCMessage?, moreToCome: Bool, isLast: Bool, _ state: inout ClientCallState) -> Bool {
    var batch = tmrpc_send()
    batch.with_initial = state.isInitialMetadataSent ? 0 : 1
    batch.initial_flags = waitsForReady ? tmrpc_wait_for_ready() : 0
    batch.with_close = isLast ? 1 : 0
    let error: grpc_call_error
    if let message {
      // Headers in a batch with a message that is held back would be held back too, and the batch with them.
      batch.message_flags = moreToCome && state.isInitialMetadataSent ? tmrpc_buffer_hint() : 0
      error = withUnsafePointer(to: message.slice) { slice in
        batch.message = slice
        return tmrpc_start_send(slots, &batch)
      }
    } else {
      error = tmrpc_start_send(slots, &batch)
    }
    guard error == GRPC_CALL_OK else { return false }
    state.isInitialMetadataSent = true
    state.isSending = true
    state.outstanding += 1
    loop.batchStarted()
    return true
  }

  /// The send came back. Loop thread only.
  func sendCompleted(_ success: Bool) {
    tmrpc_send_done(slots)
    loop.batchEnded()
    var sender: SendContinuation?
    var late: (ClientCallWaiters, RPCStatus)?
    let finishes = state.withLock { state in
      state.outstanding -= 1
      state.isSending = false
      if success {
        swap(&sender, &state.sender)
      } else if let failed = state.sender {
        state.failedSenders.append(failed)
        state.sender = nil
      }
      while !state.isSending, !state.queuedSends.isEmpty { run(state.queuedSends.removeFirst(), &state) }
      if let status = state.status { late = (ClientCallWaiters(from: &state), status) }
      return state.finishes()
    }
    if finishes { channel.callEnded(self) }
    sender?.resume()
    if let late { late.0.resume(late.1) }
  }
}
