internal import Domain

extension PersonMonitor {
  /// Judges the aggregate score after a reading.
  ///
  /// - Parameter time: when the reading was taken.
  mutating func judgeScore(
    _ time: Microseconds, _ received: Microseconds, _ now: Microseconds, _ decisions: inout [Decision]
  ) {
    guard rules.scoreLimit > 0 else { return }
    if isExerting(at: time) {
      followScore(0, received)
      if !trouble.isEmpty { trouble[0].score = nil }
      return
    }
    if Int(pointSum) + rules.standingPoints < rules.scoreLimit, trouble.isEmpty { return }
    let (score, newest) = score(at: now)
    followScore(score, received)
    guard score >= rules.scoreLimit else {
      if !trouble.isEmpty { trouble[0].score = nil }
      return
    }
    // A reading that is not fresh begins nothing; the next one does.
    guard newest >= now - Self.freshness else { return }
    if trouble.isEmpty { trouble.append(Trouble()) }
    let high = trouble[0].score ?? HighScore(began: newest, received: received)
    trouble[0].score = high
    guard !isJoined(.score, 0, 0) else { return }
    if newest - high.began >= Limits.defaultHold {
      complete(score, high, at: received, &decisions)
    } else {
      trouble[0].due = min(trouble[0].due, high.received + Limits.defaultHold)
    }
  }

  /// The score has been high for the hold time by the server's clock, and nothing has changed that.
  mutating func checkScore(at now: Microseconds, _ decisions: inout [Decision]) {
    guard let high = trouble[0].score, !isJoined(.score, 0, 0) else { return }
    guard now - high.received >= Limits.defaultHold else {
      trouble[0].due = min(trouble[0].due, high.received + Limits.defaultHold)
      return
    }
    let (score, newest) = score(at: now)
    guard score >= rules.scoreLimit, rules.scoreLimit > 0, newest >= now - Self.freshness else {
      trouble[0].score = nil
      return
    }
    complete(score, high, at: now, &decisions)
  }

  private mutating func complete(
    _ score: Int, _ high: HighScore, at now: Microseconds, _ decisions: inout [Decision]
  ) {
    let parts = Self.scored.compactMap { scored($0, at: now) }
      .map { Vital(metric: $0.metric, source: $0.source, time: $0.newest, value: $0.value) }
    let crossing = Crossing(
      kind: .score, metric: 0, limit: Double(rules.scoreLimit), value: Double(score), began: high.began, completed: now,
      hold: Limits.defaultHold, ruleVersion: rules.version, readings: parts)
    join(crossing, source: 0, code: VitalSign.scoreCode, &decisions)
  }

  private static let scored = [
    VitalSign.heartRate, VitalSign.systolicPressure, VitalSign.bodyTemperature, VitalSign.bloodOxygen,
    VitalSign.respiratoryRate,
  ]

  /// The score of the newest value of each parameter, and the time of the newest of all.
  private func score(at now: Microseconds) -> (points: Int, newest: Microseconds) {
    var sum: (points: Int, newest: Microseconds) = (rules.standingPoints, -Self.farthest)
    for metric in Self.scored {
      guard let track = scored(metric, at: now) else { continue }
      sum = (sum.points + track.points, max(sum.newest, track.newest))
    }
    return sum
  }

  /// The track whose value counts for a parameter: the newest. The value of a clock that is far ahead may be as old as
  /// readings can be ahead; then one of a clock that is right counts as well, whichever has more points.
  private func scored(_ metric: MetricID, at now: Microseconds) -> VitalTrack? {
    var newest: VitalTrack?
    var most: VitalTrack?
    for index in 0..<trackCount {
      let track = self[track: index]
      guard track.metric == metric, now - track.newest <= Self.wordLasts else { continue }
      if track.newest > newest?.newest ?? -Self.farthest { newest = track }
      if track.newest >= now - Self.freshness, most.map({ $0.points < track.points }) ?? true { most = track }
    }
    guard let newest, newest.newest - now > Self.clockError, let most, most.points > newest.points else {
      return newest
    }
    return most
  }

  private mutating func followScore(_ score: Int, _ received: Microseconds) {
    guard !trouble.isEmpty else { return }
    for index in trouble[0].joined.indices where trouble[0].joined[index].kind == .score {
      let isOver = score < rules.scoreLimit - DefaultThresholds.scoreHysteresis
      trouble[0].joined[index].isOver = isOver
      trouble[0].joined[index].lastWord = received
      if !isOver { trouble[0].joined[index].lastUnwell = received }
      trouble[0].due = min(trouble[0].due, trouble[0].joined[index].ends)
    }
  }
}
