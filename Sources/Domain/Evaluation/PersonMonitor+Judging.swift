extension PersonMonitor {
  /// Judges a reading that is beyond a limit, out of order or new, or comes while something is the matter.
  mutating func judge(
    _ vital: Vital, _ place: Int, _ limits: CompiledLimits, _ received: Microseconds, _ now: Microseconds,
    _ decisions: inout [Decision]
  ) {
    let side = limits.side(of: vital.value)
    let isStale = vital.time < now - Self.freshness
    if isStale, side != .within { decisions.append(.late(metric: vital.metric, age: now - vital.time)) }
    let known = trackIndex(vital.metric, vital.source)
    // Too old to call for, and not the newest word of its source either.
    if isStale, let known, vital.time <= self[track: known].newest { return }

    if !trouble.isEmpty { sweep(at: received) }
    let entry = Evidence.Entry(time: vital.time, value: vital.value, received: received, side: side)
    let track = known ?? begin(vital)
    if let evidence = evidence(for: entry, track, isNew: known == nil, shortestHold: rules.shortestHold[place]) {
      insert(entry, evidence, track, isStale: isStale, place, now, &decisions)
    }
    if !trouble.isEmpty { follow(vital, track, place, limits, received, isStale: isStale) }
    judgeScore(vital.time, received, now, &decisions)
  }

  private mutating func begin(_ vital: Vital) -> Int {
    var track = VitalTrack(metric: vital.metric, source: vital.source, time: vital.time, value: vital.value)
    track.points = UInt8(rules.points(vital.metric, vital.value))
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
        track.points = UInt8(rules.points(track.metric, entry.value))
        pointSum += Int16(track.points) - Int16(self[track: index].points)
        self[track: index] = track
        return nil
      }
      if entry.time == track.newest {
        set(track: index, to: entry.time, entry.value)
        return nil
      }
      // Between fine readings that are closer to each other than any hold time it tells nothing new.
      let gap = max(track.widestGap, track.since - entry.time)
      if gap < shortestHold {
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
    _ decisions: inout [Decision]
  ) {
    let isOutOfOrder = entry.time < self[track: track].newest
    let isFirst = trouble[0].evidence[index].entries.count == 1
    let inserted = trouble[0].evidence[index].insert(entry) ?? (isFirst ? 0 : nil)
    if entry.side != .within || isOutOfOrder { trouble[0].evidence[index].disturbed = entry.received }
    trouble[0].evidence[index].trim(before: now - Self.freshness)
    if let newest = trouble[0].evidence[index].newest { set(track: track, to: newest.time, newest.value) }
    trouble[0].due = min(trouble[0].due, entry.received + Self.freshness)
    guard inserted != nil, !isStale, let kind = entry.side.kind else { return }

    let evidence = trouble[0].evidence[index]
    guard !isJoined(kind, evidence.metric, evidence.source),
      let position = evidence.entries.firstIndex(where: { $0.time == entry.time })
    else { return }
    let pair = evidence.completedPair(about: position, fresh: now - Self.freshness) { limits(place, at: $0).hold }
    if let pair {
      complete(kind, evidence, pair.first, pair.last, place, at: entry.received, &decisions)
    } else if let current = evidence.current {
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
