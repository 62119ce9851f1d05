import Testing

@testable import SosRules

/// What belongs to one emergency of a person, and when it is over (A-R15, B-R.S2).
@Suite struct EpisodeTests {
  @Test func aValueThatOscillatesAboutALimitIsOneEpisode() {
    var rig = MonitorRig()
    for second in 0..<1_200 { rig.live((second / 7) % 2 == 0 ? 129 : 133, at: Double(second)) }
    #expect(rig.crossings.count == 1)
  }

  @Test func furtherCrossingsJoin() {
    var rig = MonitorRig()
    for second in 0...5 {
      rig.live(30, at: Double(second))
      rig.live(85, at: Double(second) + 0.1, metric: VitalSign.bloodOxygen)
    }
    #expect(rig.crossings.map(\.metric) == [1, 6])
    #expect(rig.emergencies.count == 1)
    #expect(Set(rig.decisions.compactMap { if case .crossed(_, let id, _) = $0 { id } else { nil } }).count == 1)
  }

  @Test func anEpisodeClosesWhenAllHasBeenWellForTenMinutes() {
    var rig = MonitorRig()
    for second in 0...5 { rig.live(30, at: Double(second)) }
    for second in 6...605 { rig.live(70, at: Double(second)) }
    // Its last bad value was at 5 s: at 605 s it closes.
    for second in 604...610 { rig.live(30, at: Double(second) + 0.5) }
    #expect(rig.emergencies.count == 2)

    var wavering = MonitorRig()
    for second in 0...5 { wavering.live(30, at: Double(second)) }
    // Within the limits, but not beyond the hysteresis: not over.
    for second in 6...1_300 { wavering.live(44, at: Double(second)) }
    for second in 1_301...1_310 { wavering.live(30, at: Double(second)) }
    #expect(wavering.emergencies.count == 1)
  }

  @Test func anEndedEmergencyStaysMutedUntilItIsOver() {
    var rig = MonitorRig()
    for second in 0...5 { rig.live(30, at: Double(second)) }
    rig.monitor.end(rig.emergencies[0], at: rig.now)
    for second in 6...1_500 { rig.live(30, at: Double(second)) }
    #expect(rig.crossings.count == 1)
    // Something else is an emergency of its own at once.
    for second in 1_501...1_506 { rig.live(85, at: Double(second), metric: VitalSign.bloodOxygen) }
    #expect(rig.emergencies.count == 2)
    for second in 1_507...2_120 { rig.live(70, at: Double(second)) }
    for second in 2_121...2_126 { rig.live(30, at: Double(second)) }
    #expect(rig.crossings.count == 3)
  }

  @Test func aSensorThatIsGoneDoesNotMuteAnotherForEver() {
    var rig = MonitorRig()
    for second in 0...5 { rig.live(0, at: Double(second), source: 1) }
    rig.monitor.end(rig.emergencies[0], at: rig.now)
    for second in 6...700 { rig.live(70, at: Double(second), source: 2) }
    for second in 701...706 { rig.live(25, at: Double(second), source: 2) }
    #expect(rig.emergencies.count == 2)
  }

  @Test func twoSensorsThatSayTheSameCallOnce() {
    var rig = MonitorRig()
    for second in 0...20 {
      rig.live(30, at: Double(second), source: 1)
      if second > 5 { rig.live(31, at: Double(second) + 0.2, source: 2) }
      if second == 7 { rig.monitor.end(rig.emergencies[0], at: rig.now) }
    }
    #expect(rig.crossings.count == 1)
  }

  @Test func aRestoredEmergencyIsNotCalledAgain() throws {
    var rig = MonitorRig()
    for second in 0...5 { rig.live(30, at: Double(second)) }
    let crossing = try #require(rig.crossings.first)
    var emergency = Emergency(
      id: rig.emergencies[0], person: 7, status: .exercise, detected: crossing.completed, crossings: [crossing],
      vitals: [], position: nil, age: nil, sex: nil, callbackNumber: nil, contacts: [], number: "112", country: "",
      transitions: [.init(state: .detected, at: crossing.completed, actor: "evaluator")])
    for isFinal in [false, true] {
      if isFinal {
        emergency.transitions.append(.init(state: .cancelled, at: crossing.completed + 1, actor: "person"))
      }
      var restarted = MonitorRig()
      restarted.monitor.restore(emergency)
      for second in 0...20 { restarted.live(30, at: Double(second)) }
      #expect(restarted.crossings.isEmpty)
      for second in 21...26 { restarted.live(80, at: Double(second), metric: VitalSign.bloodOxygen) }
      #expect(restarted.crossings.count == 1)
      #expect(restarted.emergencies.count == (isFinal ? 1 : 0))
    }
  }
}
