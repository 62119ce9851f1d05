internal import Domain
internal import SosRules

/// The first channel: connected dispatchers by their priority, then webhooks, one after the other until one accepts.
extension DeskState {
  /// A dispatcher whose program has a stream, or whose people watch.
  struct Connected: Sendable {
    let account: AccountID
    var priority: Int32
    /// Counts connections: who came first is asked first.
    var number: Int
    var program: (any ConnectedDispatcher)?
    /// How many watch at its desk.
    var staff = 0
    var target: CallTarget { .dispatcher(account) }
  }

  /// How long after its end a dispatcher that comes back is told of a cancellation.
  private static let cancelPatience: Microseconds = 3_600_000_000

  mutating func connect(_ dispatcher: any ConnectedDispatcher) {
    let account = dispatcher.account
    let staff = dispatchers.first { $0.account == account }?.staff ?? 0
    dispatchers.removeAll { $0.account == account }
    connectionCount += 1
    dispatchers.append(
      Connected(
        account: account, priority: dispatcher.priority, number: connectionCount, program: dispatcher, staff: staff))
    refreshOrder()
    greet(account)
  }

  /// Tells a dispatcher that is connected now of what nobody has accepted, and of its own.
  mutating func greet(_ account: AccountID) {
    let target = CallTarget.dispatcher(account)
    let wall = configuration.clock.wall()
    for (id, known) in cases.sorted(by: { $0.value.comesBefore($1.value) }) where known.isReleased {
      let emergency = known.emergency
      let isTold = known.told[target] != nil
      if emergency.state.isFinal {
        if isTold, emergency.isCancelled, emergency.changed > wall - Self.cancelPatience,
          emergency.transitions.last?.actor != target.actor, let program = tellable(target)
        {
          effects.append(.tell(program, .cancel, emergency))
        }
      } else if known.owner == target {
        tell(id, target, known.holder == nil ? .call : .taken)
      } else if known.owner == nil {
        ask(id, target)
      } else if isTold {
        tell(id, target, .taken)
      }
    }
  }

  mutating func disconnect(_ dispatcher: any ConnectedDispatcher) {
    guard let place = dispatchers.firstIndex(where: { $0.program === dispatcher }) else { return }
    dispatchers[place].program = nil
    leaveIfDeserted(place)
  }

  /// A dispatcher that has no stream any more, and nobody who watches, is gone.
  mutating func leaveIfDeserted(_ place: Int) {
    let (target, staff) = (dispatchers[place].target, dispatchers[place].staff)
    guard staff == 0, dispatchers[place].program == nil else { return }
    dispatchers.remove(at: place)
    refreshOrder()
    for (id, known) in cases where known.current == target && known.owner == nil { askNext(id) }
  }

  mutating func refreshOrder() {
    let connected = dispatchers.sorted { ($0.priority, $0.number) < ($1.priority, $1.number) }
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
    cases[id]?.refused.remove(target)
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

  /// The program of a dispatcher, if it has a stream.
  func tellable(_ target: CallTarget) -> (any ConnectedDispatcher)? {
    dispatchers.first { $0.target == target }?.program
  }

  mutating func tell(_ id: EmergencyID, _ target: CallTarget, _ kind: NoticeKind) {
    guard let known = cases[id], let connected = dispatchers.first(where: { $0.target == target }) else { return }
    cases[id]?.told[target] = known.emergency.newsCount
    if let program = connected.program { effects.append(.tell(program, kind, known.emergency)) }
    show(id)
  }

  mutating func tellOwnerOfNews(_ id: EmergencyID) {
    guard let known = cases[id], let owner = known.owner else { return }
    if case .webhook = owner {
      deliver(id)
    } else if known.holder == nil {
      tell(id, owner, .update)
    }
  }

  /// - Parameter person: who says it at the dispatcher's desk, and may say so; nil: the dispatcher's program.
  /// - Returns: whether the emergency stands as the dispatcher says; false if it came too late, or is of no call that
  ///   the dispatcher was told of.
  @discardableResult
  mutating func answer(
    _ id: EmergencyID, _ answer: DispatcherAnswer, note: String, from account: AccountID, by person: DeskOperator? = nil
  ) -> Bool {
    let target = CallTarget.dispatcher(account)
    guard let known = cases[id], let toldNews = known.told[target] else { return false }
    if known.emergency.state.isFinal {
      let isItsWord = known.emergency.transitions.last?.actor == target.actor
      if known.emergency.isCancelled, !isItsWord { tell(id, target, .cancel) }
      return isItsWord
    }
    if person == nil, known.owner == target, known.holder != nil {
      tell(id, target, .taken)
      return false
    }
    let said = person.map { DeskAnswer(kind: answer, person: $0) }
    if answer == .refused { return refuse(id, target, note: note, said) }
    if let owner = known.owner, owner != target {
      tell(id, target, .taken)
      return false
    }
    // A note is never taken for a refusal.
    let note = note.hasPrefix(Emergency.refusal) ? "note: \(note)" : note
    // A colleague's call is not new, but in other hands.
    let isNew = known.owner == nil || known.holder != person
    if isNew { own(id, target, person) }
    switch answer {
    case .accepted: if isNew, !step(id, to: .accepted, actor: target.actor, note: note, answer: said) { return false }
    case .enRoute: step(id, to: .enRoute, actor: target.actor, note: note, answer: said)
    case .resolved: step(id, to: .resolved, actor: target.actor, note: note, answer: said)
    case .falseAlarm:
      if step(id, to: .cancelled, actor: target.actor, note: note, answer: said) {
        passOnCancel(id, except: person == nil ? target : nil)
      }
    case .refused: break
    }
    if isNew { tellTaken(id) }
    if isNew, person == nil, let known = cases[id], !known.emergency.state.isFinal, known.emergency.newsCount > toldNews
    {
      tell(id, target, .update)
    }
    return true
  }

  /// The first refusal of each is kept. Who has accepted can refuse too: then others are asked again.
  private mutating func refuse(_ id: EmergencyID, _ target: CallTarget, note: String, _ said: DeskAnswer?) -> Bool {
    guard let known = cases[id] else { return false }
    let isKnown = known.emergency.transitions.contains {
      $0.actor == target.actor && $0.note.hasPrefix(Emergency.refusal) && $0.answer == said
    }
    let text = note.isEmpty ? Emergency.refusal : "\(Emergency.refusal): \(note)"
    if known.owner == target {
      cases[id]?.owner = nil
      cases[id]?.holder = nil
      cases[id]?.asked = [target]
      cases[id]?.refused.insert(target)
      news(id, actor: target.actor, note: text, answer: said)
      askNext(id)
      deliver(id)
      return true
    }
    guard known.owner == nil else { return true }
    cases[id]?.refused.insert(target)
    if isKnown { show(id) } else { news(id, actor: target.actor, note: text, answer: said) }
    failed(id, target)
    return true
  }

  /// The call is somebody's now.
  mutating func own(_ id: EmergencyID, _ target: CallTarget, _ holder: DeskOperator? = nil) {
    cases[id]?.owner = target
    cases[id]?.holder = holder
    cases[id]?.turn = nil
    cases[id]?.current = nil
    cases[id]?.pauses.reset()
  }

  /// Tells the others that they have nothing left to do.
  mutating func tellTaken(_ id: EmergencyID) {
    guard let known = cases[id] else { return }
    // To the owner's program too, where one of its people has the call.
    for other in known.told.keys where other != known.owner || known.holder != nil { tell(id, other, .taken) }
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
