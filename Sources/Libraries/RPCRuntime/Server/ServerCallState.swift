typealias SendContinuation = UnsafeContinuation<Void, any Error>
typealias ReceiveContinuation = UnsafeContinuation<RPCMessage?, any Error>

/// A send that waits for the one before it.
struct QueuedSend {
  /// nil sends what else there is to send: headers or, from a client, the half-close.
  let message: RPCMessage?
  let moreToCome: Bool
  /// A client's last send: half-closes the call.
  var isLast = false
  /// Names the waiter to a cancellation; 0 when nothing cancels it but the end of the call.
  let token: UInt64
  /// nil when nobody waits.
  let continuation: SendContinuation?
}

/// What changes in a server call, under its lock.
struct ServerCallState {
  var limits: CallLimits
  var values = CallValues()
  var metadata: Metadata?
  var client: ClientAddress?
  var initialMetadata = Metadata()
  var trailingMetadata = Metadata()
  var task: Task<Void, Never>?
  var lastToken: UInt64 = 0

  // Receiving: one operation, and what it brought when its waiter had given up.
  var isReceiving = false
  var receiver: ReceiveContinuation?
  var receiverToken: UInt64 = 0
  var unclaimed: RPCMessage?
  /// The stream has no message any more: so many further reads, which bring none either, are started to tell a half-close
  /// from a cancellation.
  var endProbesLeft: Int
  var isReadEnded = false
  var readFailure: RPCStatus?

  // Sending: one operation, the sends behind it, and the status once the handler is done.
  var isSending = false
  var sender: SendContinuation?
  var senderToken: UInt64 = 0
  var queuedSends: [QueuedSend] = []
  var isInitialMetadataSent = false
  /// Goes out in one batch with the status.
  var lastMessage: RPCMessage?
  var status: RPCStatus?
  var isStatusSent = false

  // Life.
  var outstanding = 0
  var isCancelled = false
  var isEnded = false
  /// By the server.
  var isCutOff = false
  var isHandlerDone = false
  /// The status with which the call was ended from outside its handler.
  var ending: RPCStatus?
  var isFinished = false
  /// Something has been sent.
  var isAnswered = false
  /// Whether its connection counts it among the calls that the server is not done with.
  var isUnfinished = false
  /// And among those of which a client has not taken the answer.
  var isUnsent = false

  init(limits: CallLimits, endProbes: Int) {
    self.limits = limits
    endProbesLeft = endProbes
  }

  /// The call is gone before its handler is done: the task to cancel, outside the lock, if that is news.
  mutating func cancelled() -> Task<Void, Never>? {
    if isHandlerDone || isCancelled { return nil }
    isCancelled = true
    return task
  }

  /// How the call changes its connection's count of calls that the server is not done with: those that wait for an
  /// answer, but for those of which the server waits for a message, and those that have ended.
  mutating func unfinishedChange() -> Int {
    let isUnfinished = !isFinished && (isEnded || !isAnswered && !isReceiving)
    defer { self.isUnfinished = isUnfinished }
    return (isUnfinished ? 1 : 0) - (self.isUnfinished ? 1 : 0)
  }

  /// The same of those among them whose answer is with gRPC: it waits until its client takes it.
  mutating func unsentChange() -> Int {
    let isUnsent = isUnfinished && !isEnded && isSending
    defer { self.isUnsent = isUnsent }
    return (isUnsent ? 1 : 0) - (self.isUnsent ? 1 : 0)
  }

  /// True once, when nothing of the call is left with its wire or with a handler.
  mutating func finishes() -> Bool {
    guard isEnded, isHandlerDone, outstanding == 0, !isFinished else { return false }
    isFinished = true
    return true
  }
}
