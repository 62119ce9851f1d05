extension ServerCall {
  /// Begins the call, which the loop has counted: watches for its end, then starts its handler. Loop thread only.
  ///
  /// From here to `finish()` its wire keeps the call alive.
  func begin() {
    wire.attach(self)
    state.withLock { state in
      state.outstanding += 1
      countUnfinished(&state)
    }
    loop.batchStarted()
    if let refusal = server.admit(self) {
      handlerReturned(refusal)
    } else if let method {
      loop.silentCalls.add(self)
      startHandler(method.handler)
    } else {
      handlerReturned(RPCStatus(.unimplemented, "there is no method \(path)"))
    }
  }

  /// The handler is done: its status goes out behind what is being sent.
  func handlerReturned(_ status: RPCStatus) {
    let finishes = state.withLock { state in
      state.isHandlerDone = true
      state.status = state.ending ?? status
      state.task = nil
      if !state.isSending { sendStatus(&state) }
      return leaves(&state)
    }
    if finishes { finish() }
  }

  /// With what it ended; nil as long as it goes on.
  var endCode: RPCCode? { state.withLock { $0.status?.code } }

  /// Ends the call from outside its handler, whatever the handler does: the client gets `status` behind what is on its
  /// way already. The handler's task is cancelled; what it waits for, and every later operation, throws `status`. Has
  /// no effect once the handler is done or the call is gone. Any thread.
  public func end(with status: RPCStatus) {
    var receiver: ReceiveContinuation?
    var senders: [SendContinuation?] = []
    let task = state.withLock { state -> Task<Void, Never>? in
      guard !state.isHandlerDone, !state.isCancelled, state.ending == nil else { return nil }
      state.ending = status
      swap(&receiver, &state.receiver)
      senders = [state.sender] + state.queuedSends.map(\.continuation)
      state.sender = nil
      state.queuedSends = []
      return state.task
    }
    task?.cancel()
    receiver?.resume(throwing: status)
    for sender in senders { sender?.resume(throwing: status) }
  }

  /// Cuts the call off at once, for a client that does not read: what is on its way may not arrive. The client gets the
  /// code and the message of `status`, which pass what it has not read; details do not. Any thread.
  public func cutOff(with status: RPCStatus) {
    state.withLock { state in
      // The call is its wire's until its end has come.
      guard !state.isEnded, state.outstanding > 0 else { return }
      state.isCutOff = true
      wire.cancel(with: RPCStatus(status.code, status.message))
    }
  }

  /// Ends the call if its client may not be silent for so long before its first message. Loop thread only.
  /// - Parameter others: calls of the loop that are as silent, with this one.
  func endIfSilent(for time: Duration, among others: Int) {
    guard time > server.firstMessageTime(of: self, among: others) else { return }
    cutOff(with: RPCStatus(.deadlineExceeded, "the client's first message has not come in time"))
  }

  /// The call has ended on the wire: by the server's status, or for another reason. Loop thread only.
  func endCompleted() {
    loop.batchEnded()
    let (task, finishes) = state.withLock { state in
      state.outstanding -= 1
      state.isEnded = true
      if !state.isAnswered, !state.isCutOff, wire.isCancelled { connection?.countReset() }
      countUnfinished(&state)
      let finishes = leaves(&state)
      return (state.cancelled(), finishes)
    }
    // Cancelling runs the cancellation handlers of tasks that wait for this call, which take the lock.
    task?.cancel()
    if finishes { finish() }
  }

  /// Tells its connection whether the server is done with the call, and what it waits for. Under the lock.
  func countUnfinished(_ state: inout ServerCallState) {
    guard let connection else { return }
    let (unfinished, unsent) = (state.unfinishedChange(), state.unsentChange())
    if unfinished != 0 { connection.countUnfinished(unfinished) }
    if unsent != 0 { connection.countUnsent(unsent) }
  }

  /// Whether nothing of the call is left, which is so once. Under the lock.
  func leaves(_ state: inout ServerCallState) -> Bool {
    guard state.finishes() else { return false }
    countUnfinished(&state)
    return true
  }

  /// Nothing of the call is left: lets go of what `begin()` took.
  func finish() {
    loop.silentCalls.remove(self)
    loop.callEnded()
    server.callEnded(self)
    wire.detach(self)
  }
}
