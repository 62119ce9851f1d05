internal import Domain
internal import SosRules

/// The first channel: connected dispatchers by their priority, then webhooks, one after the other until one accepts.
extension DeskState {
  /// A dispatcher with a stream.
  struct Connected: Sendable {
    let dispatcher: any ConnectedDispatcher
    /// Counts connections: who came first is asked first.
    let number: Int
    var target: CallTarget { .dispatcher(dispatcher.account) }
  }

  /// How long after its end a dispatcher that comes back is told of a cancellation.
  private static let cancelPatience: Microseconds = 3_600_000_000

  mutating func connect(_ dispatcher: any ConnectedDispatcher) {
    dispatchers.removeAll { $0.dispatcher.account == dispatcher.account }
    connectionCount += 1
    dispatchers.append(Connected(dispatcher: dispatcher, number: connectionCount))
    refreshOrder()
    let target = CallTarget.dispatcher(dispatcher.account)
    let wall = configuration.clock.wall()
    for (id, known) in cases.sorted(by: { $0.value.comesBefore($1.value) }) where known.isReleased {
      let emergency = known.emergency
      let isTold = known.told[target] != nil
      if emergency.state.isFinal {
        if isTold, emergency.isCancelled, emergency.changed > wall - Self.cancelPatience,
          emergency.transitions.last?.actor != target.actor
        {
          effects.append(.tell(dispatcher, .cancel, emergency))
        }
      } else if known.owner == target {
        tell(id, target, .call)
      } else if known.owner == nil {
        ask(id, target)
      } else if isTold {
        tell(id, target, .taken)
      }
    }
  }

  mutating func disconnect(_ dispatcher: any ConnectedDispatcher) {
    guard let place = dispatchers.firstIndex(where: { $0.dispatcher === dispatcher }) else { return }
    dispatchers.remove(at: place)
    refreshOrder()
    let target = CallTarget.dispatcher(dispatcher.account)
    for (id, known) in cases where known.current == target && known.owner == nil { askNext(id) }
  }

  mutating func refreshOrder() {
    let connected = dispatchers.sorted {
      ($0.dispatcher.priority, $0.number) < ($1.dispatcher.priority, $1.number)
    }
    order = connected.map(\.target) + configuration.webhooks.indices.map { .webhook($0) }
    // What was held back for them goes out when nobody is left.
    if order.isEmpty { for id in cases.keys where cases[id]?.heldUntil != nil { deliver(id) } }
  }

  /// Asks the next one who has not been asked in this round; after the last one, and a pause, a new round begins.
  mutating func askNext(_ id: EmergencyID) {
    guard var known = cases[id], known.isReleased, known.owner == nil, !known.emergency.state.isFinal else { return }
    if let next = order.first(where: { !known.asked.contains($0) }) {
      ask(id, next)
      return
    }
    known.current = nil
    known.asked = []
    // Whoever connects is asked at once.
    known.turn = order.isEmpty ? nil : now + known.pauses.next().microseconds
    cases[id] = known
    if let turn = known.turn { timers.set(.turn(id), at: turn) }
  }

  private mutating func ask(_ id: EmergencyID, _ target: CallTarget) {
    let turn = now + configuration.takeover
    cases[id]?.asked.insert(target)
    cases[id]?.current = target
    cases[id]?.turn = turn
    timers.set(.turn(id), at: turn)
    switch target {
    case .dispatcher: tell(id, target, .call)
    case .webhook(let index): start(id, .alert(webhook: index))
    }
  }

  /// Who was asked has refused, or can't be reached.
  mutating func failed(_ id: EmergencyID, _ target: CallTarget) {
    if cases[id]?.current == target, cases[id]?.owner == nil { askNext(id) }
  }

  func tellable(_ target: CallTarget) -> (any ConnectedDispatcher)? {
    guard case .dispatcher(let account) = target else { return nil }
    return dispatchers.first { $0.dispatcher.account == account }?.dispatcher
  }

  mutating func tell(_ id: EmergencyID, _ target: CallTarget, _ kind: NoticeKind) {
    guard let known = cases[id], let dispatcher = tellable(target) else { return }
    cases[id]?.told[target] = known.emergency.newsCount
    effects.append(.tell(dispatcher, kind, known.emergency))
  }

  mutating func tellOwnerOfNews(_ id: EmergencyID) {
    guard let known = cases[id], let owner = known.owner else { return }
    if case .webhook = owner { deliver(id) } else { tell(id, owner, .update) }
  }

  /// - Returns: whether the emergency stands as the dispatcher says; false if it came too late, or is of no call that
  ///   the dispatcher was told of.
  mutating func answer(_ id: EmergencyID, _ answer: DispatcherAnswer, note: String, from account: AccountID) -> Bool {
    let target = CallTarget.dispatcher(account)
    guard let known = cases[id], let toldNews = known.told[target] else { return false }
    if known.emergency.state.isFinal {
      let isItsWord = known.emergency.transitions.last?.actor == target.actor
      if known.emergency.isCancelled, !isItsWord { tell(id, target, .cancel) }
      return isItsWord
    }
    if answer == .refused { return refuse(id, target, note: note) }
    if let owner = known.owner, owner != target {
      tell(id, target, .taken)
      return false
    }
    // A note is never taken for a refusal.
    let note = note.hasPrefix(Emergency.refusal) ? "note: \(note)" : note
    let isNew = known.owner == nil
    if isNew { own(id, target) }
    switch answer {
    case .accepted: if isNew, !step(id, to: .accepted, actor: target.actor, note: note) { return false }
    case .enRoute: step(id, to: .enRoute, actor: target.actor, note: note)
    case .resolved: step(id, to: .resolved, actor: target.actor, note: note)
    case .falseAlarm: if step(id, to: .cancelled, actor: target.actor, note: note) { passOnCancel(id, except: target) }
    case .refused: break
    }
    if isNew { tellTaken(id) }
    if isNew, let known = cases[id], !known.emergency.state.isFinal, known.emergency.newsCount > toldNews {
      tell(id, target, .update)
    }
    return true
  }

  /// The first refusal of each is kept. Who has accepted can refuse too: then others are asked again.
  private mutating func refuse(_ id: EmergencyID, _ target: CallTarget, note: String) -> Bool {
    guard let known = cases[id] else { return false }
    let isKnown = known.emergency.transitions.contains {
      $0.actor == target.actor && $0.note.hasPrefix(Emergency.refusal)
    }
    let text = note.isEmpty ? Emergency.refusal : "\(Emergency.refusal): \(note)"
    if known.owner == target {
      cases[id]?.owner = nil
      cases[id]?.asked = [target]
      news(id, actor: target.actor, note: text)
      askNext(id)
      deliver(id)
      return true
    }
    guard known.owner == nil else { return true }
    if !isKnown { news(id, actor: target.actor, note: text) }
    failed(id, target)
    return true
  }

  /// The call is somebody's now.
  mutating func own(_ id: EmergencyID, _ target: CallTarget) {
    cases[id]?.owner = target
    cases[id]?.turn = nil
    cases[id]?.current = nil
    cases[id]?.pauses.reset()
  }

  /// Tells the others that they have nothing left to do.
  mutating func tellTaken(_ id: EmergencyID) {
    guard let known = cases[id] else { return }
    for other in known.told.keys where other != known.owner { tell(id, other, .taken) }
    deliver(id)
  }

  /// Tells everybody who was told of the call that it is none.
  mutating func passOnCancel(_ id: EmergencyID, except: CallTarget? = nil) {
    guard let known = cases[id] else { return }
    for target in known.told.keys where target != except { tell(id, target, .cancel) }
  }

  /// - Parameter person: whose emergency it must be.
  mutating func cancel(_ id: EmergencyID, by person: PersonID, reason: String) -> CancelOutcome {
    guard let known = cases[id], known.emergency.person == person else { return .unknown }
    let emergency = known.emergency
    if emergency.isCancelled { return .cancelled(emergency) }
    guard !emergency.state.isFinal, configuration.clock.wall() <= emergency.detected + Emergency.cancellable else {
      return .tooLate(emergency.state)
    }
    step(id, to: .cancelled, actor: "person", note: reason)
    passOnCancel(id)
    return .cancelled(cases[id]?.emergency ?? emergency)
  }
}
