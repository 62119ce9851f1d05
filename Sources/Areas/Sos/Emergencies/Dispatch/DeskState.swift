internal import DequeModule
internal import Domain
internal import SosRules
internal import Threads

/// Everything that a desk knows, and the rules by which it goes on. It does nothing by itself: it says what is to be done,
/// in order, as effects.
struct DeskState: Sendable {
  /// An emergency and how far its calls are.
  struct Case: Sendable {
    var emergency: Emergency
    /// `Emergency.changed` of what the archive has.
    var recorded: Microseconds = .min
    /// Whether calls may go out: it is in the journal, or that took too long.
    var isReleased = false

    /// Who has the call for good; nobody asks on while there is somebody.
    var owner: CallTarget?
    /// Who of the owner's people has it; nil: its program, or a webhook.
    var holder: DeskOperator?
    /// Who has refused it since being asked last.
    var refused: Set<CallTarget> = []
    /// Who was asked last and has its time to answer.
    var current: CallTarget?
    /// Who was asked in this round.
    var asked: Set<CallTarget> = []
    /// Who may know of the call, with the count of news that it knows.
    var told: [CallTarget: Int] = [:]
    /// When the next one is asked.
    var turn: Microseconds?
    var pauses: BackOff

    /// Until when SMS, voice and contacts wait while somebody else may take the call; nil: they do not.
    var heldUntil: Microseconds?
    var attempts: [Delivery: Attempt] = [:]
    /// What nobody knows to have arrived or not.
    var uncertain: Set<Delivery> = []
  }

  let configuration: DeskConfiguration
  var cases: [EmergencyID: Case] = [:]
  /// Of the newest transition: `at` rises strictly over all emergencies.
  var last: Microseconds = 0
  var status = DispatchStatus.exercise
  var timers = DeskTimers()
  var effects: [DeskEffect] = []

  /// Entries of the journal are counted; these wait until theirs is safe.
  var sequence = 0
  /// Entries up to this one are safe.
  var safeSequence = 0
  var unsafe: Deque<(sequence: Int, id: EmergencyID)> = []
  var waiters: [Int: (sequence: Int, resume: @Sendable (Bool) -> Void)] = [:]
  var waiterCount = 0
  /// Set when nothing is written any more.
  var hasEnded = false

  var dispatchers: [Connected] = []
  /// What people at the desks of dispatchers see: of those where anybody has watched.
  var boards: [AccountID: DeskBoard] = [:]
  var connectionCount = 0
  /// Who can be asked, in this order.
  var order: [CallTarget] = []
  var channels: [Channel: ChannelQueue] = [:]
  /// When emergencies of a person were detected lately, by the time of day.
  var lately: [PersonID: [Microseconds]] = [:]
  var silences: [DeliveryJob: SilenceCall] = [:]

  init(_ configuration: DeskConfiguration) {
    self.configuration = configuration
    refreshOrder()
    timers.set(.sweep, at: now + Self.sweepInterval)
  }

  static let sweepInterval: Microseconds = 60_000_000

  var now: Microseconds { configuration.clock.monotonic() }

  // MARK: - What the evaluator brings

  /// Opens an emergency, or adds a crossing to one. A crossing that is known changes nothing.
  mutating func detected(_ detection: Detection, number: (number: String, country: String)) {
    guard var known = cases[detection.emergency] else {
      open(detection, number)
      return
    }
    let crossing = detection.crossing
    guard !known.emergency.state.isFinal,
      !known.emergency.crossings.contains(where: { $0.metric == crossing.metric && $0.kind == crossing.kind })
    else { return }
    if known.emergency.crossings.count < Emergency.maxCrossings { known.emergency.crossings.append(crossing) }
    known.emergency.vitals = detection.vitals
    if let position = detection.position {
      if known.emergency.position == nil {
        known.emergency.number = number.number
        known.emergency.country = number.country
      }
      known.emergency.position = position
    }
    cases[detection.emergency] = known
    let name = configuration.catalog()[crossing.metric]?.displayName ?? "score"
    news(detection.emergency, actor: Emergency.evaluator, note: "\(name) joined")
    tellOwnerOfNews(detection.emergency)
  }

  private mutating func open(_ detection: Detection, _ number: (number: String, country: String)) {
    let detected = detection.decided
    let age = detection.dateOfBirth.flatMap { birth in CalendarDate(utc: detected).map { birth.age(on: $0) } }
    var emergency = Emergency(
      id: detection.emergency, person: detection.person, status: status, detected: detected,
      crossings: [detection.crossing], vitals: detection.vitals, position: detection.position, age: age,
      sex: detection.sex, callbackNumber: detection.callbackNumber, contacts: detection.contacts,
      number: number.number, country: number.country,
      transitions: [EmergencyTransition(state: .detected, at: stamp(), actor: Emergency.evaluator)])
    emergency.earlier = countEarlier(emergency)
    cases[emergency.id] = Case(emergency: emergency, pauses: configuration.pauses)
    hold(emergency.id)
    commit(emergency.id)
    unsafe.append((sequence, emergency.id))
    timers.set(.release(emergency.id), at: now + configuration.journalWait)
  }

  // MARK: - Transitions

  /// A step to another state. `enRoute` stays when somebody accepts later.
  /// - Returns: false if the rules do not allow it; then nothing has changed.
  @discardableResult
  mutating func step(
    _ id: EmergencyID, to next: EmergencyState, actor: String, note: String = "", call: CallStatus? = nil,
    answer: DeskAnswer? = nil
  ) -> Bool {
    guard let state = cases[id]?.emergency.state, state.mayBecome(next) else { return false }
    let kept = state == .enRoute && next == .accepted ? state : next
    append(
      EmergencyTransition(state: kept, at: stamp(), actor: actor, note: note, call: call, answer: answer), to: id)
    if next.isFinal {
      cases[id]?.turn = nil
      cases[id]?.current = nil
      deliver(id)
    }
    return true
  }

  /// Something that is worth a line and changes no state.
  mutating func news(
    _ id: EmergencyID, actor: String, note: String = "", call: CallStatus? = nil, answer: DeskAnswer? = nil
  ) {
    guard let state = cases[id]?.emergency.state else { return }
    append(
      EmergencyTransition(state: state, at: stamp(), actor: actor, note: note, call: call, answer: answer), to: id)
  }

  private mutating func append(_ transition: EmergencyTransition, to id: EmergencyID) {
    cases[id]?.emergency.transitions.append(transition)
    commit(id)
  }

  /// Greater than all before it.
  mutating func stamp() -> Microseconds {
    last = max(last + 1, configuration.clock.wall())
    return last
  }

  /// After each change: into the journal, to the observers, into the archive, onto desks.
  private mutating func commit(_ id: EmergencyID) {
    keep(id)
    guard let emergency = cases[id]?.emergency else { return }
    effects += [.observe(emergency), .record(id)]
    show(id)
  }

  /// Into the journal.
  mutating func keep(_ id: EmergencyID) {
    guard let emergency = cases[id]?.emergency else { return }
    sequence += 1
    effects.append(.journal(emergency, sequence: sequence))
  }

  // MARK: - The journal

  /// Entries up to this one are safe.
  mutating func safe(upTo sequence: Int) {
    safeSequence = max(safeSequence, sequence)
    while let first = unsafe.first, first.sequence <= sequence {
      unsafe.removeFirst()
      release(first.id)
    }
    for (number, waiter) in waiters where waiter.sequence <= sequence {
      waiters[number] = nil
      effects.append(.resume(waiter.resume, isSafe: true))
    }
  }

  /// Calls back with true when everything until now is safe, with false if that takes too long.
  mutating func whenSafe(within patience: Microseconds, _ resume: @escaping @Sendable (Bool) -> Void) {
    if hasEnded || sequence <= safeSequence {
      resume(sequence <= safeSequence)
      return
    }
    waiterCount += 1
    waiters[waiterCount] = (sequence, resume)
    timers.set(.waiter(waiterCount), at: now + patience)
  }

  /// Lets the calls out.
  mutating func release(_ id: EmergencyID) {
    guard let known = cases[id], !known.isReleased else { return }
    cases[id]?.isReleased = true
    guard !known.emergency.state.isFinal else { return }
    step(id, to: .dispatching, actor: "desk", note: known.emergency.repetition ?? "")
    deliver(id)
    askNext(id)
  }

  // MARK: - Start and end

  /// Takes over an emergency from the journal or the archive, and goes on with it; the newer of both wins.
  /// - Parameters:
  ///   - recorded: `changed` of what the archive has of it.
  ///   - isSafe: whether the journal has it.
  mutating func restore(_ emergency: Emergency, recorded: Microseconds, isSafe: Bool) {
    last = max(last, emergency.changed)
    var next = cases[emergency.id] ?? Case(emergency: emergency, pauses: configuration.pauses)
    let isNew = cases[emergency.id] == nil
    next.recorded = max(next.recorded, recorded)
    let isNewer = isNew || emergency.changed > next.emergency.changed
    if isNewer {
      next.emergency = emergency
    }
    next.emergency.delivered.formUnion(emergency.delivered)
    (next.owner, next.holder) = next.emergency.ownership
    if next.owner != nil || next.emergency.state.isFinal {
      next.turn = nil
      next.current = nil
    }
    for target in [next.owner] + configuration.webhooks.indices.map({ .webhook($0) }) {
      guard let target, next.told[target] == nil, let news = next.emergency.newsKnown(to: target) else { continue }
      next.told[target] = news
    }
    cases[emergency.id] = next
    if isNewer, !isSafe, !emergency.state.isFinal {
      sequence += 1
      effects.append(.journal(next.emergency, sequence: sequence))
    }
    if next.emergency.changed > next.recorded { effects.append(.record(emergency.id)) }
    if isNew {
      cases[emergency.id]?.isReleased = true
      countEarlier(emergency)
      hold(emergency.id)
      if !emergency.state.isFinal { step(emergency.id, to: .dispatching, actor: "desk") }
      askNext(emergency.id)
    }
    if isNewer { deliver(emergency.id) }
    show(emergency.id)
  }

  /// The archive has an emergency as it was at a time.
  mutating func recorded(_ id: EmergencyID, changed: Microseconds) {
    guard let known = cases[id] else { return }
    cases[id]?.recorded = max(known.recorded, changed)
    effects.append(.journalRecorded(id, changed: changed))
    retire(id)
  }

  /// Takes out of the journal what is over, in the archive, and has nothing left to tell anybody.
  mutating func retire(_ id: EmergencyID) {
    guard let known = cases[id], known.emergency.state.isFinal, known.recorded >= known.emergency.changed,
      wanted(known).isEmpty
    else { return }
    effects.append(.journalRetire(id))
  }

  /// Forgets everything of a person.
  /// - Returns: the emergencies that were known.
  @discardableResult
  mutating func forget(_ person: PersonID) -> Set<EmergencyID> {
    let ids = Set(cases.values.filter { $0.emergency.person == person }.map(\.emergency.id))
    for id in ids { cases[id] = nil }
    for account in boards.keys {
      let revision = stamp()
      if boards[account]?.erase(ids, at: revision) == true { effects.append(.show(account)) }
    }
    lately[person] = nil
    for job in silences.keys {
      if case .silence(person, _, _) = job { silences[job] = nil }
    }
    sequence += 1
    effects.append(.forget(ids, sequence: sequence))
    return ids
  }

  // MARK: - Time

  /// Does what is due; a limited part of it, so that others get their turn.
  mutating func fire(limit: Int = 256) {
    let now = now
    for _ in 0..<limit {
      guard let (due, timer) = timers.pop(until: now) else { return }
      switch timer {
      case .release(let id): release(id)
      case .turn(let id): if cases[id]?.turn == due { askNext(id) }
      case .retry(let job): retry(job, due)
      case .hold(let id): deliver(id)
      case .waiter(let number):
        if let waiter = waiters.removeValue(forKey: number) { effects.append(.resume(waiter.resume, isSafe: false)) }
      case .sweep:
        sweep()
        timers.set(.sweep, at: now + Self.sweepInterval)
      }
    }
  }

  /// Drops what is over for long from memory, once the archive has it and nobody is left to be told.
  private mutating func sweep() {
    let wall = configuration.clock.wall()
    for (id, known) in cases
    where known.emergency.state.isFinal && known.emergency.changed < wall - configuration.retention
      && known.recorded >= known.emergency.changed
      && (wanted(known).isEmpty || known.emergency.changed < wall - 4 * configuration.retention)
    {
      cases[id] = nil
      for account in boards.keys { boards[account]?.drop(id) }
      effects.append(.journalRetire(id))
    }
    lately = lately.filter { $0.value.contains { $0 > wall - Emergency.callWindow } }
  }
}

/// What is to be done, in this order, by whoever holds no lock.
enum DeskEffect: Sendable {
  case journal(Emergency, sequence: Int)
  case journalRecorded(EmergencyID, changed: Microseconds)
  case journalRetire(EmergencyID)
  case forget(Set<EmergencyID>, sequence: Int)
  case record(EmergencyID)
  case observe(Emergency)
  /// Something has changed for the people at a dispatcher's desk.
  case show(AccountID)
  case tell(any ConnectedDispatcher, NoticeKind, Emergency)
  /// With whether somebody has the call.
  case send(Delivery, Emergency, attempt: Int, isTaken: Bool)
  case sendSilence(DeliveryJob, DeskState.SilenceCall)
  /// Ask the gateway what has become of what it has under an identifier.
  case look(DeliveryJob, sid: String)
  case dropped(SilenceNotice)
  /// Tell who waits whether it is safe.
  case resume(@Sendable (Bool) -> Void, isSafe: Bool)
}

extension Emergency {
  /// The most crossings that are kept: far more than metrics have limits.
  static let maxCrossings = 64
}
