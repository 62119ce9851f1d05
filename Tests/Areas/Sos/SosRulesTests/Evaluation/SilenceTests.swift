import Testing

@testable import SosRules

/// What silence of a device is told and called (A-R15, B-R.S2).
@Suite struct SilenceTests {
  static func listening() -> MonitorRig {
    MonitorRig { $0.settings.silence = SilenceRule(notifyAfterMinutes: 10, callAfterMinutes: 5) }
  }

  @Test func silenceIsToldAndThenCalled() throws {
    var rig = Self.listening()
    rig.pass(to: 100_000)
    #expect(rig.decisions.isEmpty)
    rig.live(70, at: 100_000)
    rig.pass(to: 100_599)
    #expect(rig.decisions.isEmpty)
    rig.pass(to: 100_600)
    #expect(rig.silences == [.unknown])
    rig.pass(to: 100_899)
    #expect(rig.crossings.isEmpty)
    rig.pass(to: 100_900)
    rig.pass(to: 101_900)
    let crossing = try #require(rig.crossings.first)
    #expect(rig.crossings.count == 1 && rig.silences.count == 1)
    #expect(
      crossing.kind == .silence && crossing.metric == 1 && crossing.limit == 15 && crossing.silenceCause == .unknown)
    #expect(rig.emergencies == [EmergencyID(person: 7, metric: 4_095, began: MonitorRig.time(100_000))])
    // Heart rates again, and silence again.
    rig.live(70, at: 102_000)
    rig.pass(to: 102_600)
    #expect(rig.silences.count == 2)
    rig.pass(to: 102_899)
    #expect(rig.crossings.count == 1)
    rig.pass(to: 102_900)
    #expect(rig.crossings.count == 2)
    #expect(rig.emergencies.last == EmergencyID(person: 7, metric: 4_095, began: MonitorRig.time(102_000)))
  }

  @Test(arguments: [
    (StreamEnd?.none, false, SilenceCause.unknown, true), (.inOrder, false, .streamClosed, false),
    (.brokenOff, false, .connectionLost, true), (nil, true, .lowBattery, false),
  ])
  func harmlessCausesAreToldAndNotCalled(end: StreamEnd?, lowBattery: Bool, cause: SilenceCause, calls: Bool) {
    var rig = Self.listening()
    rig.streamEnd = end
    rig.live(70, at: 0)
    rig.monitor.report(isWorn: nil, hasLowBattery: lowBattery, at: rig.now)
    rig.pass(to: 600)
    rig.pass(to: 1_000)
    #expect(rig.silences == [cause])
    #expect(rig.crossings.map(\.silenceCause) == (calls ? [cause] : []))
  }

  @Test func aDeviceThatIsNotWornIsNotWaitedFor() {
    var rig = Self.listening()
    rig.live(70, at: 0)
    rig.monitor.report(isWorn: false, hasLowBattery: false, at: rig.now)
    rig.pass(to: 10_000)
    #expect(rig.decisions.isEmpty)
    rig.live(70, at: 10_000)
    rig.pass(to: 10_700)
    #expect(rig.silences.count == 1)
  }

  @Test func positionsThatStopTellFromPositionsThatGoOn() {
    for (speed, cause) in [(0.0, SilenceCause.stoppedMoving), (0.000_02, .unknown)] {
      var rig = Self.listening()
      for second in stride(from: 0, to: 600, by: 10) {
        rig.pass(to: Double(second))
        if second < 60 { rig.take(70, at: Double(second)) }
        rig.monitor.take(
          .init(latitude: 45 + Double(second) * speed, longitude: 9, accuracy: 5, time: rig.now), receivedAt: rig.now)
      }
      rig.pass(to: 700)
      #expect(rig.silences == [cause])
    }
  }
}
