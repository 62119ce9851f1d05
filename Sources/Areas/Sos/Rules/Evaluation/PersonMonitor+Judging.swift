internal import Domain

extension PersonMonitor {
  /// Judges a reading that is beyond a limit, out of order or new, or comes while something is the matter.
  /// - Returns: the work that it took, as of `take`.
  mutating func judge(
    _ vital: Vital, _ place: Int, _ limits: CompiledLimits, _ received: Microseconds, _ now: Microseconds,
    _ decisions: inout [Decision]
  ) -> Int {
    var steps = Self.judgingSteps
    let side = limits.side(of: vital.value)
    let isStale = vital.time < now - Self.freshness
    if isStale, side != .within { decisions.append(.late(metric: vital.metric, age: now - vital.time)) }
    let known = trackIndex(vital.metric, vital.source)
    // Too old to call for, and not the newest word of its source either.
    if isStale, let known, vital.time <= self[track: known].newest { return steps }

    if !trouble.isEmpty { sweep(at: received) }
    let entry = Evidence.Entry(time: vital.time, value: vital.value, received: received, side: side)
    if let known, Self.isSetBack(from: self[track: known].newest, to: vital.time, at: now) {
      setBack(known, to: entry, &steps)
    }
    if known == nil { steps += Self.newTrackSteps }
    let track = known ?? begin(vital, received)
    if let evidence = evidence(for: entry, track, isNew: known == nil, shortestHold: rules.shortestHold[place]) {
      insert(entry, evidence, track, isStale: isStale, place, now, &steps, &decisions)
    }
    if !trouble.isEmpty { follow(vital, track, place, limits, received, isStale: isStale) }
    judgeScore(vital.time, received, now, &decisions)
    return steps
  }

  /// Whether a reading far behind the newest of its source shows at once that the clock of the source has been set back:
  /// the newest is of a future that no clock shows which is nearly right. Readings later than their receipt are no
  /// evidence beyond it.
  private static func isSetBack(from newest: Microseconds, to time: Microseconds, at now: Microseconds) -> Bool {
    newest - now > clockError && newest - time > clockError
  }

  /// Lets a track begin anew with a reading that comes after the clock of its source has been set back: what was known
  /// lies before it.
  private mutating func setBack(_ index: Int, to entry: Evidence.Entry, _ steps: inout Int) {
    var track = self[track: index]
    if track.hasEvidence, let evidence = trouble[0].evidence.firstIndex(where: { $0.isOf(track.metric, track.source) })
    {
      trouble[0].evidence[evidence].setBack(to: entry, &steps)
      track.newest = trouble[0].evidence[evidence].newest?.time ?? entry.time - 1
    } else {
      track.newest = entry.time - 1
      track.begin(since: track.newest, widestGap: 0)
    }
    self[track: index] = track
  }

  private mutating func begin(_ vital: Vital, _ received: Microseconds) -> Int {
    var track = VitalTrack(metric: vital.metric, source: vital.source, time: vital.time, value: vital.value)
    track.note(points: rules.points(vital.metric, vital.value), receivedAt: received)
    return add(track)
  }

  /// The place of the list that a reading belongs into; nil if the track's memory is enough, and has it.
  private mutating func evidence(
    for entry: Evidence.Entry, _ index: Int, isNew: Bool, shortestHold: Microseconds
  ) -> Int? {
    var track = self[track: index]
    if track.hasEvidence { return trouble[0].evidence.firstIndex { $0.isOf(track.metric, track.source) } }
    if isNew, entry.side == .within { return nil }
    if entry.side == .within {
      if entry.time > track.newest {
        track.advance(to: entry.time, entry.value)
        track.note(points: rules.points(track.metric, entry.value), receivedAt: entry.received)
        pointSum += Int16(track.points) - Int16(self[track: index].points)
        self[track: index] = track
        return nil
      }
      if entry.time == track.newest {
        set(track: index, to: entry.time, entry.value, receivedAt: entry.received)
        return nil
      }
      // Between fine readings that are closer to each other than any hold time it tells nothing new.
      let gap = max(track.widestGap, track.since - entry.time)
      // Unless the clock has been set back, and it is the newest word in the score.
      let mayBeNewest =
        track.newest - entry.time > Evidence.Stretch.minStep && rules.points(track.metric, entry.value) != track.points
      if gap < shortestHold, !mayBeNewest {
        if entry.time < track.since {
          track.begin(since: entry.time, widestGap: gap)
          self[track: index] = track
        }
        return nil
      }
    }
    if trouble.isEmpty { trouble.append(Trouble()) }
    trouble[0].evidence.append(
      isNew
        ? Evidence(metric: track.metric, source: track.source, first: entry)
        : Evidence(of: track, received: entry.received))
    track.hasEvidence = true
    self[track: index] = track
    return trouble[0].evidence.count - 1
  }

  /// Puts a reading among the others of its track, and sees whether it completes a crossing.
  private mutating func insert(
    _ entry: Evidence.Entry, _ index: Int, _ track: Int, isStale: Bool, _ place: Int, _ now: Microseconds,
    _ steps: inout Int, _ decisions: inout [Decision]
  ) {
    let isOutOfOrder = entry.time < self[track: track].newest
    let isFirst = trouble[0].evidence[index].entries.count == 1
    let clock = trouble[0].evidence[index].note(entry, &steps)
    var counts = trouble[0].evidence[index].insert(entry, &steps) || isFirst
    if case .setBack = clock {
      trouble[0].evidence[index].setBack(&steps)
      counts = true
    }
    if entry.side != .within || isOutOfOrder { trouble[0].evidence[index].disturbed = entry.received }
    if let newest = trouble[0].evidence[index].newest {
      set(track: track, to: newest.time, newest.value, receivedAt: newest.received)
    }
    trouble[0].due = min(trouble[0].due, entry.received + Self.freshness)
    guard !isStale, let kind = entry.side.kind else { return }

    let evidence = trouble[0].evidence[index]
    guard !isJoined(kind, evidence.metric, evidence.source) else { return }
    if case .inDoubt(let first, let last) = clock, last.time - first.time >= limits(place, at: last.time).hold {
      complete(kind, evidence, first, last, place, at: entry.received, &decisions)
      return
    }
    guard counts, let position = evidence.place(of: entry.time, &steps) else { return }
    let pair = evidence.completedPair(
      about: position, fresh: now - Self.freshness, shortest: min(rules.rest[place].hold, rules.exertion[place].hold),
      &steps
    ) { limits(place, at: $0).hold }
    if let pair {
      complete(kind, evidence, pair.first, pair.last, place, at: entry.received, &decisions)
    } else if let current = evidence.current(&steps) {
      trouble[0].due = min(trouble[0].due, current.received + limits(place, at: current.last.time).hold)
    }
  }

  /// Completes the crossing of a limit.
  mutating func complete(
    _ kind: CrossingKind, _ evidence: Evidence, _ first: Evidence.Entry, _ last: Evidence.Entry, _ place: Int,
    at now: Microseconds, _ decisions: inout [Decision]
  ) {
    let limits = limits(place, at: last.time)
    let readings = (first.time == last.time ? [last] : [first, last])
      .map { Vital(metric: evidence.metric, source: evidence.source, time: $0.time, value: $0.value) }
    let crossing = Crossing(
      kind: kind, metric: evidence.metric, limit: limits.limit(kind), value: last.value, began: first.time,
      completed: now, hold: limits.hold, ruleVersion: rules.version, duringExertion: isExerting(at: last.time),
      readings: readings)
    join(crossing, source: evidence.source, code: UInt16(truncatingIfNeeded: evidence.metric), &decisions)
  }

  /// Notes for the crossings of a track whether they are over.
  private mutating func follow(
    _ vital: Vital, _ index: Int, _ place: Int, _ limits: CompiledLimits, _ received: Microseconds, isStale: Bool
  ) {
    let newest = self[track: index]
    let newestLimits = self.limits(place, at: newest.newest)
    for index in trouble[0].joined.indices {
      let kind = trouble[0].joined[index].kind
      guard kind == .low || kind == .high, trouble[0].joined[index].isSame(kind, vital.metric, vital.source) else {
        continue
      }
      let isOver = newestLimits.ends(kind, newest.value)
      trouble[0].joined[index].isOver = isOver
      trouble[0].joined[index].lastWord = received
      if !isOver || (!isStale && !limits.ends(kind, vital.value)) { trouble[0].joined[index].lastUnwell = received }
      trouble[0].due = min(trouble[0].due, trouble[0].joined[index].ends)
    }
  }
}
