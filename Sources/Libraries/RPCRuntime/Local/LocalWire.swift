import CGRPC
import Synchronization

/// A call within the process: where its client and its handler meet.
///
/// The handler's end starts operations as it would with gRPC, and each is answered on the call's loop, in `turn()`. The
/// client's end takes what is there at once, or waits for a turn. Whoever leaves something for the other side asks the
/// loop for one; it never waits twice in the loop's queue.
// @unchecked: `call` and `deadlinePlace` are of the loop's thread alone; the rest is constant, or under the lock.
final class LocalWire: @unchecked Sendable {
  let path: String
  let metadata: Metadata
  let peer: String
  /// On gRPC's monotonic clock; infinite when there is none.
  let deadline: gpr_timespec
  let server: Server
  let loop: EventLoop
  /// Where it stands among the loop's deadlines.
  var deadlinePlace: Int?
  /// From the first turn until the handler and its operations are done.
  private var call: ServerCall?
  // A lock, because the two ends may run on any threads. It may be taken under a `ServerCall`'s, and under it only the
  // loop's queue is locked; nothing is resumed under it.
  let state = Mutex(LocalWireState())

  init(
    _ path: String, metadata: Metadata, peer: String, deadline: Duration?, to server: Server, on loop: EventLoop
  ) {
    self.path = path
    self.metadata = metadata
    self.peer = peer
    self.deadline = deadline.map { .after(max($0, .zero)) } ?? gpr_inf_future(GPR_CLOCK_MONOTONIC)
    self.server = server
    self.loop = loop
  }

  func headers(_ key: String) -> [String] {
    metadata.all(key).map { value in
      switch value {
      case .text(let text): text
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  // MARK: Life

  /// Begins the call, unless the server does not take it. Once, before anyone else has the call.
  func begin() {
    if let refusal = server.enter(self) {
      state.withLock { state in
        state.status = refusal
        state.isOver = true
      }
    } else {
      state.withLock { post(&$0) }
    }
  }

  /// Ends the call from outside its handler, past what has not been read. Does nothing once it has ended. Any thread.
  func cancel(with status: RPCStatus) {
    let unread = state.withLock { state -> (RPCMessage?, RPCMessage?) in
      guard state.status == nil else { return (nil, nil) }
      defer { (state.request, state.answer) = (nil, nil) }
      state.status = status
      state.isCancelled = true
      post(&state)
      return (state.request, state.answer)
    }
    // Let go of outside the lock.
    _ = unread
  }

  /// Asks the loop for a turn. Under the lock: the loop lives until it has told the handler's end of the call's end, and
  /// after that nobody asks.
  func post(_ state: inout LocalWireState) {
    if state.isPosted || state.isOver { return }
    state.isPosted = true
    loop.post(self)
  }

  /// Does what is to be done on the loop. Loop thread only.
  func turn() {
    if call == nil, !state.withLock({ $0.status != nil }) { start() }
    let turn = state.withLock { LocalWireTurn(from: &$0) }
    if let (continuation, answer) = turn.reader { continuation.resume(with: answer) }
    if let (continuation, failure) = turn.sender {
      if let failure { continuation.resume(throwing: failure) } else { continuation.resume() }
    }
    if let (continuation, isWanted) = turn.starter { continuation.resume(returning: isWanted) }
    turn.stop?()
    // The end first: it tells a read that brings nothing from a half-close.
    if turn.ends { end() }
    if let message = turn.received { call?.receiveCompleted(message, true) }
    if let sent = turn.sent { call?.sendCompleted(sent) }
  }

  private func start() {
    loop.deadlines.add(self)
    ServerCall(self).begin()
  }

  /// Tells the handler's end, which starts no operation after that.
  private func end() {
    loop.deadlines.remove(self)
    if let call {
      call.endCompleted()
    } else {
      // It was over before its handler could begin.
      loop.callEnded()
      server.leave(self)
    }
    state.withLock { $0.isOver = true }
  }

  func attach(_ call: ServerCall) { self.call = call }

  func detach() { call = nil }
}
