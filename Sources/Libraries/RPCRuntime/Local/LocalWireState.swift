/// What changes in a call within the process, under its lock. Whoever finds a continuation here resumes it outside.
struct LocalWireState {
  // To the handler: one message, with whoever sends it.
  var request: RPCMessage?
  var sender: SendContinuation?
  var senderToken: UInt64 = 0
  var isHalfClosed = false
  /// Who waits until there is a reason to send.
  var starter: UnsafeContinuation<Bool, any Error>?
  var starterToken: UInt64 = 0
  /// The handler's end reads.
  var isReceiving = false

  // To the client: one message, which the handler's end sends until somebody has taken it.
  var answer: RPCMessage?
  var reader: ReceiveContinuation?
  var readerToken: UInt64 = 0
  /// The handler's end sends.
  var isSending = false
  var initialMetadata = Metadata()
  var trailingMetadata = Metadata()

  // Life.
  /// What is to be called at the end.
  var stop: (@Sendable () -> Void)?
  /// The end, behind the last message.
  var status: RPCStatus?
  /// The call ended for another reason than its handler's status.
  var isCancelled = false
  /// The handler's end knows of the end: nothing is left to do on the loop.
  var isOver = false
  /// The loop is asked to look at the call.
  var isPosted = false
  var lastToken: UInt64 = 0

  mutating func newToken() -> UInt64 {
    lastToken += 1
    return lastToken
  }

  /// Whether the handler's end reads; nil while neither that is known nor the end.
  var isWanted: Bool? { status != nil ? false : isReceiving ? true : nil }

  /// What a read has without waiting.
  mutating func takeAnswer() -> Result<RPCMessage?, any Error>? {
    if let answer {
      self.answer = nil
      return .success(answer)
    }
    guard let status else { return nil }
    return status.code == .ok ? .success(nil) : .failure(status)
  }
}

/// What a loop has found to do for a call: it is taken out of the state under the lock, and done outside.
struct LocalWireTurn {
  var reader: (continuation: ReceiveContinuation, answer: Result<RPCMessage?, any Error>)?
  var sender: (continuation: SendContinuation, failure: RPCStatus?)?
  var starter: (continuation: UnsafeContinuation<Bool, any Error>, isWanted: Bool)?
  /// The read of the handler's end is back, with its message.
  var received: RPCMessage??
  /// The send of the handler's end is back: whether it went well.
  var sent: Bool?
  /// The call has ended.
  var ends = false
  /// And this is called.
  var stop: (@Sendable () -> Void)?

  init(from state: inout LocalWireState) {
    state.isPosted = false
    if let waiting = state.reader, let answer = state.takeAnswer() {
      reader = (waiting, answer)
      state.reader = nil
    }
    if let waiting = state.starter, let isWanted = state.isWanted {
      starter = (waiting, isWanted)
      state.starter = nil
    }
    let isEnded = state.status != nil
    if state.isReceiving, isEnded || state.request != nil || state.isHalfClosed {
      received = .some(isEnded ? nil : state.request)
      if !isEnded, let taken = state.sender {
        sender = (taken, nil)
        (state.sender, state.request) = (nil, nil)
      }
      state.isReceiving = false
    }
    if state.isSending, isEnded || state.answer == nil {
      sent = !state.isCancelled
      state.isSending = false
    }
    guard let status = state.status, !state.isOver else { return }
    if let waiting = state.sender { sender = (waiting, status.asSendFailure) }
    (state.sender, state.request) = (nil, nil)
    swap(&stop, &state.stop)
    ends = true
  }
}
