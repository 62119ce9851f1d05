internal import Domain
internal import SosRules

/// What is handed over by calls to others: SMS, voice, contacts, webhooks. Each channel has a queue and threads of its own;
/// what failed is tried again, for ever, until it is taken or nobody wants it any more.
extension DeskState {
  /// A notice of silence on its way to a contact.
  struct SilenceCall: Sendable {
    let notice: SilenceNotice
    let contact: EmergencyContact
    let status: DispatchStatus
    /// When it is given up.
    let until: Microseconds
    var attempt: Attempt
  }

  /// What has still to be handed over. Alerts to webhooks are not among it: they have their turns.
  func wanted(_ known: Case) -> [Delivery] {
    let emergency = known.emergency
    var wanted: [Delivery] = []
    let contacts = emergency.contacts.indices.filter { emergency.contacts[$0].phone != nil }
    func mayBeThere(_ delivery: Delivery) -> Bool {
      emergency.delivered.contains(delivery.name) || emergency.placed[delivery.name] != nil
        || known.uncertain.contains(delivery)
    }
    if configuration.gateways != nil {
      if !emergency.state.isFinal {
        if !isHeld(known) { wanted += [.sms, .voice] + contacts.map { .contact($0) } }
      } else if emergency.isCancelled {
        if mayBeThere(.sms) || mayBeThere(.voice) { wanted.append(.smsCancel) }
        wanted += contacts.filter { mayBeThere(.contact($0)) }.map { .contactCancel($0) }
      }
    }
    for index in configuration.webhooks.indices {
      let target = CallTarget.webhook(index)
      guard let toldNews = known.told[target] else { continue }
      let isItsOwn = known.owner == target
      if emergency.isCancelled || (known.owner != nil && !isItsOwn) {
        // Not before it is known what became of the alert.
        if known.attempts[.alert(webhook: index)] == nil { wanted.append(.alertCancel(webhook: index)) }
      } else if isItsOwn, !emergency.state.isFinal, emergency.newsCount > toldNews {
        wanted.append(.update(webhook: index, number: emergency.newsCount))
      }
    }
    return wanted.filter { !emergency.delivered.contains($0.name) }
  }

  /// Queues what has to be handed over and is not on its way.
  mutating func deliver(_ id: EmergencyID) {
    guard let known = cases[id], known.isReleased else { return }
    for delivery in wanted(known) { start(id, delivery) }
  }

  mutating func start(_ id: EmergencyID, _ delivery: Delivery) {
    guard let known = cases[id], known.attempts[delivery] == nil else { return }
    // What was handed over before a crash is asked about first.
    let attempt = Attempt(known.emergency.placed[delivery.name], at: now, configuration)
    cases[id]?.attempts[delivery] = attempt
    enqueue(.emergency(id, delivery), attempt)
  }

  /// Whatever the gateway has is asked about, anything else handed over.
  private mutating func enqueue(_ subject: DeliveryJob, _ attempt: Attempt) {
    let job = attempt.call.sid == nil ? subject : .look(subject)
    channels[job.channel, default: ChannelQueue()].append(job, turn: turn(of: subject))
    pump(job.channel)
  }

  /// Starts as many calls of a channel as may be under way.
  private mutating func pump(_ channel: Channel) {
    while var queue = channels[channel], let job = queue.next(atOnce: configuration.channelCallsMax) {
      let isStarted = begin(job)
      if isStarted { queue.underWay += 1 }
      channels[channel] = queue
    }
  }

  /// - Returns: false if nobody wants it any more.
  private mutating func begin(_ job: DeliveryJob) -> Bool {
    let sid: String?
    switch job.subject {
    case .emergency(let id, let delivery):
      guard let known = cases[id], let attempt = known.attempts[delivery] else { return false }
      guard isWanted(delivery, known) else {
        cases[id]?.attempts[delivery] = nil
        return false
      }
      sid = attempt.call.sid
      cases[id]?.attempts[delivery]?.phase = .underWay
      if sid == nil {
        cases[id]?.attempts[delivery]?.news = known.emergency.newsCount
        let isTaken = known.owner != nil && !known.emergency.isCancelled
        effects.append(.send(delivery, known.emergency, attempt: attempt.call.attempt, isTaken: isTaken))
      }
    case .silence:
      guard let call = silences[job.subject] else { return false }
      sid = call.attempt.call.sid
      silences[job.subject]?.attempt.phase = .underWay
      if sid == nil { effects.append(.sendSilence(job, call)) }
    case .look: return false
    }
    if let sid { effects.append(.look(job, sid: sid)) }
    return true
  }

  private func isWanted(_ delivery: Delivery, _ known: Case) -> Bool {
    if case .alert = delivery { return known.owner == nil && !known.emergency.state.isFinal }
    return wanted(known).contains(delivery)
  }

  /// What came of a call.
  mutating func finished(_ job: DeliveryJob, _ outcome: DeliveryOutcome) {
    channels[job.channel]?.underWay -= 1
    switch job.subject {
    case .emergency(let id, let delivery): if cases[id] != nil { finished(id, delivery, outcome) }
    case .silence: finishedSilence(job.subject, outcome)
    case .look: break
    }
    pump(job.channel)
  }

  private mutating func finished(_ id: EmergencyID, _ delivery: Delivery, _ outcome: DeliveryOutcome) {
    if case .unknown = outcome { cases[id]?.uncertain.insert(delivery) }
    if case .alert(let webhook) = delivery {
      finishedAlert(id, .webhook(webhook), delivery, outcome)
    } else {
      heard(id, delivery, isMoot(id, delivery, outcome) ? .taken : outcome)
    }
    deliver(id)
    retire(id)
  }

  /// A cancel of what was perhaps never taken: whoever answers, and does not know of it, needs none.
  private func isMoot(_ id: EmergencyID, _ delivery: Delivery, _ outcome: DeliveryOutcome) -> Bool {
    guard case .declined = outcome, case .alertCancel(let webhook) = delivery, let known = cases[id] else {
      return false
    }
    return !known.emergency.delivered.contains(Delivery.alert(webhook: webhook).name)
  }

  /// Does what an attempt asks for after an answer, and says what is known of it.
  private mutating func heard(_ id: EmergencyID, _ delivery: Delivery, _ outcome: DeliveryOutcome) {
    guard var attempt = cases[id]?.attempts[delivery] else { return }
    let before = attempt.call
    let step = attempt.heard(outcome, at: now, configuration)
    if case .end = step {
      cases[id]?.attempts[delivery] = nil
      cases[id]?.emergency.placed[delivery.name] = nil
      cases[id]?.emergency.delivered.insert(delivery.name)
      taken(id, delivery, attempt.call)
      return
    }
    cases[id]?.attempts[delivery] = attempt
    if let due = attempt.due { timers.set(.retry(.emergency(id, delivery)), at: due) }
    guard attempt.call != before else { return }
    cases[id]?.emergency.placed[delivery.name] = attempt.call
    let said = cases[id]?.emergency.transitions.count { $0.actor == delivery.name && $0.call != nil } ?? 0
    if said < Self.maxCallSteps {
      news(id, actor: delivery.name, note: attempt.call.words, call: attempt.call.status)
    } else {
      keep(id)
    }
  }

  /// Steps of one SMS or call that are kept: whoever is called in vain for hours makes no endless list.
  static let maxCallSteps = 100

  private mutating func taken(_ id: EmergencyID, _ delivery: Delivery, _ call: PlacedCall) {
    let note = call.status == nil ? "taken" : call.words
    switch delivery {
    case .sms, .voice:
      if !step(id, to: .accepted, actor: delivery.name, note: call.words, call: call.status) {
        news(id, actor: delivery.name, note: note, call: call.status)
      }
    case .update(let webhook, let number):
      cases[id]?.told[.webhook(webhook)] = number
      news(id, actor: CallTarget.webhook(webhook).actor, note: "update taken")
    case .alertCancel(let webhook): news(id, actor: CallTarget.webhook(webhook).actor, note: "cancel taken")
    default: news(id, actor: delivery.name, note: note, call: call.status)
    }
  }

  private mutating func finishedAlert(
    _ id: EmergencyID, _ target: CallTarget, _ delivery: Delivery, _ outcome: DeliveryOutcome
  ) {
    let news = cases[id]?.attempts.removeValue(forKey: delivery)?.news ?? 0
    switch outcome {
    case .taken:
      cases[id]?.told[target] = news
      cases[id]?.emergency.delivered.insert(delivery.name)
      guard let known = cases[id], known.owner == nil, !known.emergency.state.isFinal else {
        // Too late: it is told so by a cancel.
        self.news(id, actor: target.actor, note: "\(Emergency.refusal): another has taken it")
        return
      }
      own(id, target)
      step(id, to: .accepted, actor: target.actor)
      tellTaken(id)
    case .unknown:
      cases[id]?.told[target] = news
      failed(id, target)
    case .declined, .failed, .placed: failed(id, target)
    }
  }

  /// A pause is over: the gateway is asked again, or it is handed over again.
  mutating func retry(_ job: DeliveryJob, _ due: Microseconds) {
    switch job {
    case .emergency(let id, let delivery):
      guard var attempt = cases[id]?.attempts[delivery], attempt.due == due else { return }
      attempt.goOn()
      cases[id]?.attempts[delivery] = attempt
      enqueue(job, attempt)
    case .silence:
      guard var attempt = silences[job]?.attempt, attempt.due == due else { return }
      attempt.goOn()
      silences[job]?.attempt = attempt
      enqueue(job, attempt)
    case .look: break
    }
  }

  // MARK: - Silence

  /// Tells the contacts of a silence.
  mutating func silent(_ notice: SilenceNotice) {
    guard configuration.gateways != nil else { return }
    let until = now + configuration.silencePatience
    for (index, contact) in notice.contacts.enumerated() where contact.phone != nil {
      let job = DeliveryJob.silence(notice.person, since: notice.since, contact: index)
      if silences[job] != nil { continue }
      guard silences.count < configuration.silenceNoticesMax else {
        effects.append(.dropped(notice))
        return
      }
      let call = SilenceCall(
        notice: notice, contact: contact, status: status, until: until, attempt: Attempt(at: now, configuration))
      silences[job] = call
      enqueue(job, call.attempt)
    }
  }

  private mutating func finishedSilence(_ job: DeliveryJob, _ outcome: DeliveryOutcome) {
    guard var call = silences[job] else { return }
    let step = call.attempt.heard(outcome, at: now, configuration)
    if step == .end || now >= call.until {
      silences[job] = nil
      if step != .end { effects.append(.dropped(call.notice)) }
      return
    }
    silences[job] = call
    if let due = call.attempt.due { timers.set(.retry(job), at: due) }
  }
}
