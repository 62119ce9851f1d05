internal import Domain

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
    var attempt = Attempt()
  }

  /// What has still to be handed over. Alerts to webhooks are not among it: they have their turns.
  func wanted(_ known: Case) -> [Delivery] {
    let emergency = known.emergency
    var wanted: [Delivery] = []
    let contacts = emergency.contacts.indices.filter { emergency.contacts[$0].phone != nil }
    func mayBeThere(_ delivery: Delivery) -> Bool {
      emergency.delivered.contains(delivery.name) || known.uncertain.contains(delivery)
    }
    if configuration.gateways != nil {
      if !emergency.state.isFinal {
        wanted += [.sms, .voice] + contacts.map { .contact($0) }
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
    guard cases[id]?.attempts[delivery] == nil else { return }
    cases[id]?.attempts[delivery] = Attempt()
    enqueue(.emergency(id, delivery))
  }

  private mutating func enqueue(_ job: DeliveryJob) {
    channels[job.channel, default: ChannelQueue()].waiting.append(job)
    pump(job.channel)
  }

  /// Starts as many calls of a channel as may be under way.
  private mutating func pump(_ channel: Channel) {
    while var queue = channels[channel], queue.underWay < configuration.channelCallsMax,
      let job = queue.waiting.popFirst()
    {
      let isStarted = begin(job)
      if isStarted { queue.underWay += 1 }
      channels[channel] = queue
    }
  }

  /// - Returns: false if nobody wants it any more.
  private mutating func begin(_ job: DeliveryJob) -> Bool {
    switch job {
    case .emergency(let id, let delivery):
      guard let known = cases[id] else { return false }
      guard isWanted(delivery, known) else {
        cases[id]?.attempts[delivery] = nil
        return false
      }
      cases[id]?.attempts[delivery]?.phase = .underWay
      cases[id]?.attempts[delivery]?.news = known.emergency.newsCount
      effects.append(.send(delivery, known.emergency, isTaken: known.owner != nil && !known.emergency.isCancelled))
    case .silence:
      guard let call = silences[job] else { return false }
      silences[job]?.attempt.phase = .underWay
      effects.append(.sendSilence(job, call))
    }
    return true
  }

  private func isWanted(_ delivery: Delivery, _ known: Case) -> Bool {
    if case .alert = delivery { return known.owner == nil && !known.emergency.state.isFinal }
    return wanted(known).contains(delivery)
  }

  /// What came of a call.
  mutating func finished(_ job: DeliveryJob, _ outcome: DeliveryOutcome) {
    channels[job.channel]?.underWay -= 1
    switch job {
    case .emergency(let id, let delivery): if cases[id] != nil { finished(id, delivery, outcome) }
    case .silence: finishedSilence(job, outcome)
    }
    pump(job.channel)
  }

  private mutating func finished(_ id: EmergencyID, _ delivery: Delivery, _ outcome: DeliveryOutcome) {
    if case .unknown = outcome { cases[id]?.uncertain.insert(delivery) }
    if case .alert(let webhook) = delivery {
      finishedAlert(id, .webhook(webhook), delivery, outcome)
    } else if outcome == .taken || isMoot(id, delivery, outcome) {
      cases[id]?.attempts[delivery] = nil
      cases[id]?.emergency.delivered.insert(delivery.name)
      taken(id, delivery)
    } else {
      pause(id, delivery)
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

  private mutating func taken(_ id: EmergencyID, _ delivery: Delivery) {
    switch delivery {
    case .sms, .voice:
      if !step(id, to: .accepted, actor: delivery.name) { news(id, actor: delivery.name, note: "taken") }
    case .update(let webhook, let number):
      cases[id]?.told[.webhook(webhook)] = number
      news(id, actor: CallTarget.webhook(webhook).actor, note: "update taken")
    case .alertCancel(let webhook): news(id, actor: CallTarget.webhook(webhook).actor, note: "cancel taken")
    default: news(id, actor: delivery.name, note: "taken")
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
    case .declined, .failed: failed(id, target)
    }
  }

  private mutating func pause(_ id: EmergencyID, _ delivery: Delivery) {
    guard var attempt = cases[id]?.attempts[delivery] else { return }
    let until = now + attempt.pauses.next(configuration)
    attempt.phase = .pausing(until: until)
    cases[id]?.attempts[delivery] = attempt
    timers.set(.retry(.emergency(id, delivery)), at: until)
  }

  /// A pause is over.
  mutating func retry(_ job: DeliveryJob, _ due: Microseconds) {
    switch job {
    case .emergency(let id, let delivery):
      guard let attempt = cases[id]?.attempts[delivery], attempt.phase == .pausing(until: due) else { return }
      cases[id]?.attempts[delivery]?.phase = .queued
    case .silence:
      guard let call = silences[job], call.attempt.phase == .pausing(until: due) else { return }
      silences[job]?.attempt.phase = .queued
    }
    enqueue(job)
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
      silences[job] = SilenceCall(notice: notice, contact: contact, status: status, until: until)
      enqueue(job)
    }
  }

  private mutating func finishedSilence(_ job: DeliveryJob, _ outcome: DeliveryOutcome) {
    guard var call = silences[job] else { return }
    if outcome == .taken || now >= call.until {
      silences[job] = nil
      if outcome != .taken { effects.append(.dropped(call.notice)) }
      return
    }
    let until = now + call.attempt.pauses.next(configuration)
    call.attempt.phase = .pausing(until: until)
    silences[job] = call
    timers.set(.retry(job), at: until)
  }
}
