public import Domain

extension PersonMonitor {
  /// Does what the server's time asks for: crossings whose hold time has passed without a contradiction, episodes that
  /// are over, memory that is needed no more.
  ///
  /// - Returns: when to call again; `.max` if never, as long as nothing comes.
  @discardableResult
  public mutating func check(at now: Microseconds, into decisions: inout [Decision]) -> Microseconds {
    guard !trouble.isEmpty, Self.isTime(now) else { return .max }
    trouble[0].due = .max
    sweep(at: now)
    for index in trouble[0].evidence.indices.reversed() { checkEvidence(index, now, &decisions) }
    checkScore(at: now, &decisions)
    if trouble[0].isOver {
      trouble = []
      return .max
    }
    var due = trouble[0].due
    for joined in trouble[0].joined where joined.ends > now { due = min(due, joined.ends) }
    // Whatever was missed, it is looked at again; and no timer is so fine that it would make a loop of this.
    trouble[0].due = min(max(due, now + 1_000), now + Self.freshness)
    return trouble[0].due
  }

  private mutating func checkEvidence(_ index: Int, _ now: Microseconds, _ decisions: inout [Decision]) {
    trouble[0].evidence[index].trim(before: now - Self.freshness)
    let evidence = trouble[0].evidence[index]
    var steps = 0
    guard let track = trackIndex(evidence.metric, evidence.source), let place = rules.place(of: evidence.metric) else {
      trouble[0].evidence.remove(at: index)
      return
    }
    if let current = evidence.current(&steps), let kind = current.last.side.kind,
      current.last.time >= now - Self.freshness, !isJoined(kind, evidence.metric, evidence.source)
    {
      let due = current.received + limits(place, at: current.last.time).hold
      if due <= now {
        complete(kind, evidence, current.first, current.last, place, at: now, &decisions)
      } else {
        trouble[0].due = min(trouble[0].due, due)
      }
    }
    let rests = evidence.disturbed + Self.freshness
    guard rests <= now else {
      trouble[0].due = min(trouble[0].due, rests)
      return
    }
    let isJoined = trouble[0].joined.contains { $0.metric == evidence.metric && $0.source == evidence.source }
    guard !isJoined else { return }
    if !evidence.isDisturbing {
      // All is well again: the short memory of the track is enough.
      let summary = evidence.summary
      self[track: track].begin(since: summary.since, widestGap: summary.widestGap)
      self[track: track].hasEvidence = false
      trouble[0].evidence.remove(at: index)
    } else if self[track: track].newest < now - Self.wordLasts {
      // Its source has gone long since.
      remove(track: track)
    }
  }

  /// Does what a silence asks for at the server's time.
  ///
  /// - Parameter end: how a stream ended; nil: it is open, or nothing is known of it.
  public mutating func checkSilence(
    at now: Microseconds, end: (UInt64) -> StreamEnd?, into decisions: inout [Decision]
  ) {
    guard Self.isTime(now), !extras.isEmpty, let silence = extras[0].silence, let heard = silence.heard else { return }
    switch silence.step(at: now) {
    case .nothing: return
    case .notify:
      extras[0].silence?.notify(at: now)
      decisions.append(.silent(since: heard, at: now, cause: silence.cause(end: end(silence.stream))))
    case .call:
      let cause = silence.cause(end: end(silence.stream))
      guard !cause.isHarmless else { return }
      extras[0].silence?.call()
      let minutes = Double(silence.rule.notifyAfterMinutes) + Double(silence.rule.callAfterMinutes)
      let newest = vitals(at: now).filter { $0.metric == VitalSign.heartRate }
      let crossing = Crossing(
        kind: .silence, metric: VitalSign.heartRate, limit: minutes, value: Double((now - heard) / 60_000_000),
        began: silence.began, completed: now, hold: 0, ruleVersion: rules.version, readings: newest, silenceCause: cause
      )
      join(crossing, source: 0, code: VitalSign.silenceCode, &decisions)
    }
  }

  /// A device has said how it is.
  public mutating func report(isWorn: Bool?, hasLowBattery: Bool, at now: Microseconds) {
    guard listensForSilence, Self.isTime(now) else { return }
    extras[0].silence?.report(isWorn: isWorn, hasLowBattery: hasLowBattery, at: now)
  }
}
