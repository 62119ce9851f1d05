internal import DequeModule
internal import Domain
internal import CoreMetrics
internal import Logging
internal import Metering
internal import SosRules
internal import Threads

/// What waits for the desk's thread.
struct DeskInbox: Sendable {
  var events: Deque<MonitorEvent> = []
  var outcomes: [(job: DeliveryJob, outcome: DeliveryOutcome)] = []
  /// The newest entry of the journal that is safe, if there is a new one.
  var safe: Int?
  /// Whether the state has changed under others' hands.
  var isPoked = false
  var isStopped = false

  /// Takes what is there, of events a limited number.
  mutating func take() -> DeskInbox? {
    if events.isEmpty, outcomes.isEmpty, safe == nil, !isPoked, !isStopped { return nil }
    var taken = self
    self = DeskInbox(isStopped: isStopped)
    if taken.events.count > Self.eventsAtOnce {
      events = Deque(taken.events.dropFirst(Self.eventsAtOnce))
      taken.events = Deque(taken.events.prefix(Self.eventsAtOnce))
    }
    return taken
  }

  private static let eventsAtOnce = 128
}

/// The desk's thread: nothing else in the process delays it, and it waits for nobody.
extension EmergencyDesk {
  /// Works until the desk is stopped.
  func work() {
    while true {
      let next = state.withLock { $0.timers.next }
      let deadline = next.map { ContinuousClock.now + .microseconds($0 - configuration.clock.monotonic()) }
      let work = inbox.wait(until: deadline) { $0.take() }
      if let safe = work?.safe { state.withLock { $0.safe(upTo: safe) } }
      for (job, outcome) in work?.outcomes ?? [] {
        logFailure(job, outcome)
        count(job, outcome)
        state.withLock { $0.finished(job, outcome) }
      }
      for event in work?.events ?? [] { take(event) }
      state.withLock { $0.fire() }
      perform()
      if work?.isStopped == true { return }
    }
  }

  /// Takes an event into the state.
  func take(_ event: MonitorEvent) {
    switch event {
    case .detected(let detection):
      let number =
        detection.position.map { configuration.numberAt($0.latitude, $0.longitude) } ?? (configuration.elsewhere, "")
      state.withLock { $0.detected(detection, number: number) }
    case .silence(let notice): state.withLock { $0.silent(notice) }
    case .late: break
    }
  }

  /// Does what the state has said, in its order; on the desk's thread only.
  private func perform() {
    let effects = state.withLock { state in
      defer { state.effects = [] }
      return state.effects
    }
    if effects.isEmpty { return }
    let observers = observers.withLock { $0 }
    let deskObservers = deskObservers.withLock { $0 }
    for effect in effects {
      switch effect {
      case .journal(let emergency, let sequence): journal.append(emergency, sequence: sequence)
      case .journalRecorded(let id, let changed): journal.recorded(id, changed: changed)
      case .journalRetire(let id): journal.retire(id)
      case .forget(let ids, let sequence): journal.forget(ids, sequence: sequence)
      case .record(let id): recorder.add(id)
      case .observe(let emergency): for observer in observers { observer(emergency) }
      case .show(let dispatcher): for observer in deskObservers { observer(dispatcher) }
      case .tell(let dispatcher, let kind, let emergency):
        if kind == .call { MetricFamily.dispatchCalls.count(.dispatchers, .placed) }
        dispatcher.tell(DispatcherNotice(kind: kind, emergency: emergency, text: words(kind, emergency)))
      case .send(let delivery, let emergency, let attempt, let isTaken):
        send(delivery, emergency, attempt: attempt, isTaken: isTaken)
      case .sendSilence(let job, let call): send(job, call)
      case .look(let job, let sid): look(job, sid)
      case .dropped(let notice):
        logger.error("contacts can't be told of a silence", metadata: ["person": "\(notice.person)"])
      case .resume(let waiter, let isSafe): waiter(isSafe)
      }
    }
  }

  private func words(_ kind: NoticeKind, _ emergency: Emergency) -> String {
    let text = CallText(emergency, catalog: configuration.catalog(), at: configuration.clock.wall())
    return switch kind {
    case .call, .update: text.full
    case .cancel: text.cancellation
    case .taken: text.takenByAnother
    }
  }

  // MARK: - Calls to others

  private func send(_ delivery: Delivery, _ emergency: Emergency, attempt: Int, isTaken: Bool) {
    let completion = completion(.emergency(emergency.id, delivery))
    let catalog = configuration.catalog()
    let key = delivery.key(emergency.id, attempt: attempt)
    func alert(_ webhook: Int, _ kind: CAPMessage.Kind, _ sent: Microseconds) {
      let message = CAPMessage(emergency, kind, sender: configuration.sender, catalog: catalog, sent: sent)
      configuration.webhooks[webhook].send(Array(message.xml.utf8), key: key, completion: completion)
    }
    switch delivery {
    case .alert(let webhook): alert(webhook, .alert, emergency.detected)
    case .update(let webhook, let number): alert(webhook, .update(number), emergency.timeOfNews(number))
    case .alertCancel(let webhook): alert(webhook, isTaken ? .taken : .cancel, emergency.changed)
    case .sms, .voice, .contact, .smsCancel, .contactCancel:
      guard let gateways = configuration.gateways else { return completion(.failed("there is no gateway")) }
      let text = CallText(emergency, catalog: catalog, at: configuration.clock.wall())
      let isExercise = emergency.status == .exercise
      let number = isExercise ? configuration.exerciseNumber : emergency.number
      func contact(_ index: Int) -> (to: String, name: String) {
        let contact = emergency.contacts[index]
        return (isExercise ? configuration.exerciseNumber : "\(contact.phone?.description ?? "")", contact.name)
      }
      switch delivery {
      case .voice:
        gateways.voice.send(
          GatewayMessage(medium: .voice, to: number, text: text.full, key: key), completion: completion)
      case .contact(let index):
        let (to, name) = contact(index)
        gateways.contacts.send(
          GatewayMessage(medium: .sms, to: to, text: text.forContact(named: name), key: key), completion: completion)
      case .contactCancel(let index):
        let (to, name) = contact(index)
        gateways.contacts.send(
          GatewayMessage(medium: .sms, to: to, text: text.cancellation(named: name), key: key), completion: completion)
      default:
        let words = delivery == .smsCancel ? text.cancellation : text.short
        gateways.sms.send(GatewayMessage(medium: .sms, to: number, text: words, key: key), completion: completion)
      }
    }
  }

  private func send(_ job: DeliveryJob, _ call: DeskState.SilenceCall) {
    guard let gateways = configuration.gateways, case .silence(let person, let since, let index) = job else { return }
    let isExercise = call.status == .exercise
    let attempt = call.attempt.call.attempt
    let key = "silence-\(person)-\(since)/contact-\(index)/sms\(attempt > 1 ? "/\(attempt)" : "")"
    let message = GatewayMessage(
      medium: .sms, to: isExercise ? configuration.exerciseNumber : "\(call.contact.phone?.description ?? "")",
      text: CallText.silence(call.notice, status: call.status), key: key)
    gateways.contacts.send(message, completion: completion(job))
  }

  private func look(_ job: DeliveryJob, _ sid: String) {
    let completion = completion(job)
    guard let gateways = configuration.gateways else { return completion(.failed("there is no gateway")) }
    switch job.subject.channel {
    case .sms: gateways.sms.look(for: sid, .sms, completion: completion)
    case .voice: gateways.voice.look(for: sid, .voice, completion: completion)
    default: gateways.contacts.look(for: sid, .sms, completion: completion)
    }
  }

  private func completion(_ job: DeliveryJob) -> @Sendable (DeliveryOutcome) -> Void {
    { [inbox] outcome in inbox.change { $0.outcomes.append((job, outcome)) } }
  }

  private func count(_ job: DeliveryJob, _ outcome: DeliveryOutcome) {
    let isQuestion = if case .look = job { true } else { false }
    guard let result = DispatchResult(outcome, isQuestion: isQuestion) else { return }
    MetricFamily.dispatchCalls.count(job.channel.counted, result)
  }

  // MARK: - The log

  /// One line at most every ten seconds and channel, without numbers and texts.
  private func logFailure(_ job: DeliveryJob, _ outcome: DeliveryOutcome) {
    let problem: String
    switch outcome {
    case .taken: return
    case .placed(_, let status):
      guard status.hasFailed else { return }
      problem = "\(status)"
    case .declined(let text), .failed(let text), .unknown(let text): problem = text
    }
    let now = configuration.clock.monotonic()
    let channel = job.subject.channel
    let isDue = failureLog.withLock { log in
      if let last = log[channel], now < last + 10_000_000 { return false }
      log[channel] = now
      return true
    }
    if isDue {
      logger.warning(
        "a call was not taken; it will be tried again",
        metadata: ["channel": "\(channel)", "problem": "\(problem)"])
    }
  }

  /// Readings that came too late to call for: at most one line a person and minute, without values.
  func logLate(_ person: PersonID, _ metric: MetricID, _ age: Microseconds) {
    let now = configuration.clock.monotonic()
    let isDue = lateLog.withLock { log in
      if let last = log[person], now < last + 60_000_000 { return false }
      if log.count >= 10_000 { log = log.filter { now < $0.value + 60_000_000 } }
      guard log.count < 10_000 else { return false }
      log[person] = now
      return true
    }
    if isDue {
      logger.notice(
        "readings beyond a limit came too late to call for",
        metadata: ["person": "\(person)", "metric": "\(metric)", "seconds": "\(age / 1_000_000)"])
    }
  }
}

extension Emergency {
  /// When the evaluator had its news of a number, from 1.
  func timeOfNews(_ number: Int) -> Microseconds {
    transitions.filter { $0.actor == Self.evaluator }.dropFirst(number).first?.at ?? changed
  }
}
