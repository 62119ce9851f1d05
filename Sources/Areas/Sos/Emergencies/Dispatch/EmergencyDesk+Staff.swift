public import Domain
internal import Metering
public import SosRules
internal import Synchronization

/// What people at dispatchers' desks need of the desk. Nothing of it waits for the database.
extension EmergencyDesk {
  /// Somebody watches at a dispatcher's desk: calls go to the dispatcher. Each call is followed by one of `leave`.
  /// - Parameter priority: of the dispatcher: calls go to the least number first.
  public func join(deskOf dispatcher: AccountID, priority: Int32) {
    state.withLock { $0.joinStaff(of: dispatcher, priority: priority) }
    poke()
  }

  /// One of those is gone; what nobody has accepted goes to others when the last one is.
  public func leave(deskOf dispatcher: AccountID) {
    state.withLock { $0.leaveStaff(of: dispatcher) }
    poke()
  }

  /// Calls `observer` with a dispatcher whenever something has changed at its desk, on the desk's thread: it must not
  /// block.
  public func observeDesks(_ observer: @escaping @Sendable (AccountID) -> Void) {
    deskObservers.withLock { $0.append(observer) }
  }

  /// What has changed at a dispatcher's desk after a position of this run.
  ///
  /// - Parameters:
  ///   - position: nil: everything that is open.
  ///   - limit: the most calls; more of them follow their positions.
  public func changes(ofDesk dispatcher: AccountID, after position: Microseconds?, limit: Int) -> DeskChanges {
    let (beginsAnew, calls, head) = state.withLock { $0.calls(of: dispatcher, after: position, limit: limit) }
    return DeskChanges(
      beginsAnew: beginsAnew, calls: calls.map { (shown($0.call, dispatcher), $0.position) }, head: head)
  }

  /// Takes the answer of somebody at a desk; what holds of it is in the journal, on disk, when this returns.
  ///
  /// - Parameters:
  ///   - note: for the record, may be empty.
  ///   - dispatcher: whose desk it is.
  ///   - isGone: whether an account of somebody at a desk has ended; it must not block.
  public func answer(
    _ id: EmergencyID, _ answer: DeskAnswer, note: String, ofDesk dispatcher: AccountID,
    isGone: @Sendable (AccountID) -> Bool
  ) async -> DeskOutcome {
    let decided = state.withLock { state -> (DeskVerdict, DeskState.Call)? in
      guard let verdict = state.answer(id, answer, note: note, of: dispatcher, isGone: isGone) else { return nil }
      return state.call(id, of: dispatcher).map { (verdict, $0) }
    }
    guard let (verdict, call) = decided else { return .unknown }
    if verdict == .taken, let result = DispatchResult(answer.kind) {
      MetricFamily.dispatchCalls.count(.dispatchers, result)
    }
    if verdict == .taken || verdict == .known {
      let isSafe = await withCheckedContinuation { continuation in
        state.withLock { $0.whenSafe(within: configuration.answerWait) { continuation.resume(returning: $0) } }
        poke()
      }
      guard isSafe else { return .unsafe }
    }
    return .decided(verdict, shown(call, dispatcher))
  }

  private func shown(_ call: DeskState.Call, _ dispatcher: AccountID) -> DeskCall {
    let text = CallText(call.emergency, catalog: configuration.catalog(), at: configuration.clock.wall())
    let words =
      switch call.place {
      case .waiting, .refused, .ours: text.full
      case .taken: text.takenByAnother
      case .over: call.emergency.isCancelled ? text.cancellation : text.resolved
      }
    return DeskCall(call, text: words, of: dispatcher)
  }
}
