/// What changes in a client call, under its lock.
struct ClientCallState {
  /// Ends the call before it has reached gRPC, or says how gRPC ended it.
  var status: RPCStatus?
  var trailingMetadata = Metadata()
  var initialMetadata: Metadata?
  var isStarted = false
  var isCancelled = false

  // Receiving.
  var isReceiving = false
  var receiver: ReceiveContinuation?
  /// No message comes any more: what is left is the status.
  var isReadEnded = false

  // Sending.
  var isSending = false
  var sender: SendContinuation?
  var queuedSends: [QueuedSend] = []
  var isInitialMetadataSent = false
  var isHalfClosed = false

  // What waits for the headers, and for the end.
  var headWaiters: [UnsafeContinuation<Metadata, any Error>] = []
  var isHeadMissing = false
  var failedSenders: [SendContinuation] = []
  var endWaiters: [UnsafeContinuation<RPCStatus, Never>] = []

  var outstanding = 0
  var isFinished = false

  /// True once, when gRPC has let go of the call.
  mutating func finishes() -> Bool {
    guard isStarted, status != nil, outstanding == 0, !isFinished else { return false }
    isFinished = true
    return true
  }
}

/// Continuations to resume outside the lock, because the call has ended.
struct ClientCallWaiters {
  var receiver: ReceiveContinuation?
  var senders: [SendContinuation] = []
  var heads: [UnsafeContinuation<Metadata, any Error>] = []
  var ends: [UnsafeContinuation<RPCStatus, Never>] = []

  /// Takes what waits for nothing but the status. The state has one.
  init(from state: inout ClientCallState) {
    if state.isReadEnded {
      receiver = state.receiver
      state.receiver = nil
    }
    swap(&senders, &state.failedSenders)
    if state.isHeadMissing { swap(&heads, &state.headWaiters) }
    swap(&ends, &state.endWaiters)
  }

  /// Tells everyone how the call ended.
  func resume(_ status: RPCStatus) {
    let isOK = status.code == .ok
    if isOK { receiver?.resume(returning: nil) } else { receiver?.resume(throwing: status) }
    for sender in senders { sender.resume(throwing: status.asSendFailure) }
    for head in heads { if isOK { head.resume(returning: Metadata()) } else { head.resume(throwing: status) } }
    for end in ends { end.resume(returning: status) }
  }
}

extension RPCStatus {
  /// What a send throws when the call has this status.
  var asSendFailure: RPCStatus {
    code == .ok ? RPCStatus(.failedPrecondition, "the server has ended the call") : self
  }
}
