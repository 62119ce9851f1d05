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
    let (score, parts) = score(at: now)
    followScore(score, received)
    guard score >= rules.scoreLimit else {
      if !trouble.isEmpty { trouble[0].score = nil }
      return
    }
    let newest = parts.map(\.time).max() ?? time
    // A reading that is not fresh begins nothing; the next one does.
    guard newest >= now - Self.freshness else { return }
    if trouble.isEmpty { trouble.append(Trouble()) }
    let high = trouble[0].score ?? HighScore(began: newest, received: received)
    trouble[0].score = high
    guard !isJoined(.score, 0, 0) else { return }
    if newest - high.began >= Limits.defaultHold {
      complete(score, parts, high, at: received, &decisions)
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
    let (score, parts) = score(at: now)
    guard score >= rules.scoreLimit, rules.scoreLimit > 0, let newest = parts.map(\.time).max(),
      newest >= now - Self.freshness
    else {
      trouble[0].score = nil
      return
    }
    complete(score, parts, high, at: now, &decisions)
  }

  private mutating func complete(
    _ score: Int, _ parts: [Vital], _ high: HighScore, at now: Microseconds, _ decisions: inout [Decision]
  ) {
    let crossing = Crossing(
      kind: .score, metric: 0, limit: Double(rules.scoreLimit), value: Double(score), began: high.began, completed: now,
      hold: Limits.defaultHold, ruleVersion: rules.version, readings: parts)
    join(crossing, source: 0, code: VitalSign.scoreCode, &decisions)
  }

  /// The score of the newest value of each parameter, and those values.
  func score(at now: Microseconds) -> (points: Int, parts: [Vital]) {
    let parts = vitals(at: now).filter { vital in
      switch vital.metric {
      case VitalSign.heartRate, VitalSign.systolicPressure, VitalSign.bodyTemperature, VitalSign.bloodOxygen,
        VitalSign.respiratoryRate:
        true
      default: false
      }
    }
    return (parts.reduce(rules.standingPoints) { $0 + rules.points($1.metric, $1.value) }, parts)
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
