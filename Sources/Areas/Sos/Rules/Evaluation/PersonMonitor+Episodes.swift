public import Domain

extension PersonMonitor {
  /// Whether a crossing has been completed already and belongs to an emergency.
  func isJoined(_ kind: CrossingKind, _ metric: MetricID, _ source: SourceID) -> Bool {
    !trouble.isEmpty && trouble[0].joined.contains { $0.isSame(kind, metric, source) }
  }

  /// A crossing is completed: it opens an episode, joins the one that is open, or belongs to one that has been ended and
  /// is still the same.
  mutating func join(_ crossing: Crossing, source: SourceID, code: UInt16, _ decisions: inout [Decision]) {
    if trouble.isEmpty { trouble.append(Trouble()) }
    let now = crossing.completed
    let same = trouble[0].joined.filter { $0.isSame(crossing.kind, crossing.metric) }
    var joined = JoinedCrossing(
      kind: crossing.kind, metric: crossing.metric, source: source,
      emergency: trouble[0].open ?? EmergencyID(person: person, metric: code, began: crossing.began), lastUnwell: now,
      lastWord: now)
    var isTold = true
    if same.contains(where: { $0.emergency == trouble[0].open && $0.muted == nil }) {
      // Another sensor says the same: once an episode is enough.
      isTold = false
    } else if let ended = same.first(where: { joined in joined.muted.map { now - $0 < Self.quiet } ?? false }) {
      // The emergency has just been ended, and now another sensor says what it was about.
      joined = JoinedCrossing(
        kind: crossing.kind, metric: crossing.metric, source: source, emergency: ended.emergency, lastUnwell: now,
        lastWord: now, muted: ended.muted)
      isTold = false
    }
    // However many sensors say the same: a few of them tell when it is over.
    guard isTold || trouble[0].joined.count < Self.maxJoined else { return }
    trouble[0].joined.append(joined)
    trouble[0].due = min(trouble[0].due, joined.ends)
    guard isTold else { return }
    let isFirst = trouble[0].open == nil
    trouble[0].open = joined.emergency
    decisions.append(.crossed(crossing, emergency: joined.emergency, isFirst: isFirst))
  }

  /// The emergency is final: its crossings call no more until they have been over for `quiet`. A crossing of another
  /// kind opens a new one at once.
  public mutating func end(_ emergency: EmergencyID, at now: Microseconds) {
    guard !trouble.isEmpty, Self.isTime(now) else { return }
    for index in trouble[0].joined.indices where trouble[0].joined[index].emergency == emergency {
      trouble[0].joined[index].muted = trouble[0].joined[index].muted ?? now
    }
    if trouble[0].open == emergency { trouble[0].open = nil }
  }

  /// Takes up an emergency after a restart, before the readings that have come since are gone through again.
  public mutating func restore(_ emergency: Emergency) {
    guard emergency.person == person, Self.isTime(emergency.changed) else { return }
    if trouble.isEmpty { trouble.append(Trouble()) }
    for crossing in emergency.crossings where Self.isTime(crossing.completed) {
      let source = crossing.kind == .low || crossing.kind == .high ? crossing.readings.first?.source ?? 0 : 0
      guard !isJoined(crossing.kind, crossing.metric, source) else { continue }
      trouble[0].joined.append(
        JoinedCrossing(
          kind: crossing.kind, metric: crossing.metric, source: source, emergency: emergency.id,
          lastUnwell: crossing.completed, lastWord: crossing.completed,
          muted: emergency.state.isFinal ? emergency.changed : nil))
    }
    if !emergency.state.isFinal { trouble[0].open = emergency.id }
    trouble[0].due = .min
  }

  /// Closes what has been over for long enough.
  mutating func sweep(at now: Microseconds) {
    guard !trouble[0].joined.isEmpty || trouble[0].open != nil else { return }
    let open = trouble[0].open
    let isOpen = trouble[0].joined.contains { $0.emergency == open && $0.muted == nil && now < $0.ends }
    if !isOpen { trouble[0].open = nil }
    // A crossing of an open episode is kept until all of it is over: it is told once an episode.
    trouble[0].joined.removeAll { now >= $0.ends && !(isOpen && $0.emergency == open && $0.muted == nil) }
  }
}
