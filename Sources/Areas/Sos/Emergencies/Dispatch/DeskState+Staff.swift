internal import Domain
internal import SosRules

/// People at dispatchers' desks: what they see, and whose answer counts. A dispatcher whose people watch is connected as one
/// that has a stream.
extension DeskState {
  /// A call as it stands for a dispatcher.
  struct Call: Sendable {
    let place: CallPlace
    let emergency: Emergency
    let holder: CallHolder?
  }

  /// Somebody watches at the dispatcher's desk.
  mutating func joinStaff(of account: AccountID, priority: Int32) {
    if boards[account] == nil {
      boards[account] = DeskBoard(began: stamp())
      for id in cases.keys { show(id) }
    }
    if let place = dispatchers.firstIndex(where: { $0.account == account }) {
      dispatchers[place].staff += 1
      return
    }
    connectionCount += 1
    dispatchers.append(Connected(account: account, priority: priority, number: connectionCount, staff: 1))
    refreshOrder()
    greet(account)
  }

  /// One of those is gone.
  mutating func leaveStaff(of account: AccountID) {
    guard let place = dispatchers.firstIndex(where: { $0.account == account && $0.staff > 0 }) else { return }
    dispatchers[place].staff -= 1
    leaveIfDeserted(place)
  }

  /// Brings a call onto the desks of those who were told of it, if it stands differently there.
  mutating func show(_ id: EmergencyID) {
    guard let known = cases[id] else { return }
    for account in boards.keys where known.told[.dispatcher(account)] != nil {
      let (place, changed) = (known.place(for: .dispatcher(account)), known.emergency.changed)
      guard boards[account]?.lacks(id, place, changed: changed) == true else { continue }
      let revision = stamp()
      boards[account]?.put(id, place, changed: changed, at: revision)
      effects.append(.show(account))
    }
  }

  /// What has changed at a desk after a position; as `DeskBoard.changes`.
  func calls(
    of account: AccountID, after position: Microseconds?, limit: Int
  ) -> (beginsAnew: Bool, calls: [(call: Call, position: Microseconds)], head: Microseconds) {
    guard let board = boards[account] else { return (true, [], last) }
    let changes = board.changes(after: position, limit: limit)
    let calls = changes.calls.compactMap { change in
      call(change.id, of: account).map { (call: $0, position: change.revision) }
    }
    return (changes.beginsAnew, calls, board.head)
  }

  /// A call as it stands for a dispatcher; nil if it was not told of it.
  func call(_ id: EmergencyID, of account: AccountID) -> Call? {
    let target = CallTarget.dispatcher(account)
    guard let known = cases[id], known.told[target] != nil else { return nil }
    let place = known.place(for: target)
    return Call(place: place, emergency: known.emergency, holder: place == .ours ? known.callHolder(for: target) : nil)
  }

  /// - Parameters:
  ///   - account: of the dispatcher.
  ///   - isGone: whether an account of somebody at a desk has ended.
  /// - Returns: nil if the dispatcher was not told of the call.
  mutating func answer(
    _ id: EmergencyID, _ answer: DeskAnswer, note: String, of account: AccountID, isGone: (AccountID) -> Bool
  ) -> DeskVerdict? {
    let target = CallTarget.dispatcher(account)
    guard let known = cases[id], known.told[target] != nil else { return nil }
    let holder = known.callHolder(for: target)
    let isAway =
      switch holder {
      case .person(let person): isGone(person.account)
      case .program: tellable(target) == nil
      case .nobody, .another: false
      }
    let verdict = answer.verdict(on: known.emergency, holder: holder, isAway: isAway)
    if verdict == .taken { self.answer(id, answer.kind, note: note, from: account, by: answer.person) }
    return verdict
  }
}

extension DeskState.Case {
  /// Where it stands for a dispatcher.
  func place(for target: CallTarget) -> CallPlace {
    if emergency.state.isFinal { return .over }
    if let owner { return owner == target ? .ours : .taken }
    return refused.contains(target) ? .refused : .waiting
  }

  /// Who goes on with it, as a dispatcher's desk sees it.
  func callHolder(for target: CallTarget) -> CallHolder {
    guard let owner else { return .nobody }
    guard owner == target else { return .another }
    return holder.map { .person($0) } ?? .program
  }
}
