import Testing

@testable import SosRules

/// The score of several vital signs that calls (A-R15, B-R.S2).
@Suite struct ScoreTests {
  @Test func sevenPointsCall() throws {
    var rig = MonitorRig()
    rig.live(22, at: 0, metric: VitalSign.respiratoryRate)
    rig.live(93, at: 1, metric: VitalSign.bloodOxygen)
    rig.live(115, at: 2)
    rig.live(38.0, at: 3, metric: VitalSign.bodyTemperature)
    rig.pass(to: 30)
    #expect(rig.crossings.isEmpty)
    rig.live(38.5, at: 31, metric: VitalSign.bodyTemperature)
    rig.pass(to: 33.9)
    #expect(rig.crossings.isEmpty)
    rig.pass(to: 34)
    let crossing = try #require(rig.crossings.first)
    #expect(crossing.kind == .score && crossing.value == 7 && crossing.limit == 7 && crossing.metric == 0)
    #expect(crossing.readings.map(\.metric) == [1, 5, 6, 7])
    #expect(rig.emergencies == [EmergencyID(person: 7, metric: 0, began: MonitorRig.time(31))])
  }

  @Test func aScoreThatFallsBackWithinTheHoldIsNone() {
    var rig = MonitorRig { $0.settings.usesSupplementalOxygen = true }
    rig.live(22, at: 0, metric: VitalSign.respiratoryRate)
    rig.live(93, at: 1, metric: VitalSign.bloodOxygen)
    rig.live(95, at: 2)
    rig.live(80, at: 4)
    rig.pass(to: 60)
    #expect(rig.crossings.isEmpty)
  }

  @Test func oldPartsDoNotCount() {
    var rig = MonitorRig()
    rig.live(22, at: 0, metric: VitalSign.respiratoryRate)
    rig.live(93, at: 1, metric: VitalSign.bloodOxygen)
    rig.live(38.5, at: 3_603, metric: VitalSign.bodyTemperature)
    rig.live(115, at: 3_604)
    rig.live(101, at: 3_605, metric: VitalSign.systolicPressure)
    rig.pass(to: 3_700)
    #expect(rig.crossings.isEmpty)
  }

  @Test func inExertionThereIsNoScore() {
    var rig = MonitorRig { $0.exertions = [MonitorRig.time(0)..<MonitorRig.time(600)] }
    for second in 0..<300 {
      rig.live(45, at: Double(second), metric: VitalSign.respiratoryRate)
      rig.live(93, at: Double(second), metric: VitalSign.bloodOxygen)
      rig.live(170, at: Double(second))
    }
    #expect(rig.crossings.isEmpty)
  }
}
