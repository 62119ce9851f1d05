import Testing

@testable import Domain
@testable import SosRules

/// The evaluation of one person (A-R15, B-R.S2): what calls, when, and what does not.
@Suite struct PersonMonitorTests {
  // MARK: Crossings

  @Test func valuesBeyondALimitForTheHoldTimeCall() throws {
    var rig = MonitorRig()
    rig.live(72, at: 0)
    rig.live(38, at: 1)
    rig.live(37, at: 2)
    rig.live(36, at: 3)
    #expect(rig.crossings.isEmpty)
    // The device's clock is a little ahead, so it is the reading and not the timer that completes it.
    rig.take(35, at: 4)
    let crossing = try #require(rig.crossings.first)
    #expect(rig.decisions.count == 1)
    #expect(crossing.kind == .low && crossing.metric == 1 && crossing.limit == 41 && crossing.value == 35)
    #expect(crossing.began == MonitorRig.time(1) && crossing.completed == MonitorRig.time(3))
    #expect(crossing.ruleVersion == "news2-2017.2" && crossing.hold == 3_000_000 && !crossing.duringExertion)
    #expect(crossing.readings.map(\.value) == [38, 35])
    #expect(rig.emergencies == [EmergencyID(person: 7, metric: 1, began: MonitorRig.time(1))])
  }

  @Test(arguments: [(40.9, true), (41, false), (130.9, false), (131, true), (0, true), (250, true)])
  func limitsAreHalfOpen(value: Double, calls: Bool) {
    var rig = MonitorRig()
    for second in 0...4 { rig.live(value, at: Double(second)) }
    #expect(rig.crossings.count == (calls ? 1 : 0))
  }

  @Test func oneReadingIsEnoughWhenNothingContradictsItForTheHoldTime() throws {
    var rig = MonitorRig()
    rig.live(30, at: 0)
    rig.pass(to: 2.99)
    #expect(rig.crossings.isEmpty)
    rig.pass(to: 3)
    let crossing = try #require(rig.crossings.first)
    #expect(crossing.completed == MonitorRig.time(3) && crossing.readings.count == 1)
  }

  @Test func aReadingWithinTheLimitsBeginsTheHoldAnew() {
    var rig = MonitorRig()
    for round in 0..<20 {
      rig.live(30, at: Double(round) * 3)
      rig.live(30, at: Double(round) * 3 + 1)
      rig.live(60, at: Double(round) * 3 + 2)
    }
    rig.pass(to: 100)
    #expect(rig.crossings.isEmpty)
  }

  @Test func aGapDoesNotEndACrossing() {
    var rig = MonitorRig {
      $0.thresholds[1] = Threshold(rest: Limits(low: 41, hold: 60_000_000, hysteresis: 5), exertion: nil)
    }
    rig.live(30, at: 0)
    rig.live(30, at: 59)
    #expect(rig.crossings.isEmpty)
    rig.live(30, at: 61)
    #expect(rig.crossings.count == 1)
  }

  @Test func aHoldOfZeroCallsAtOnce() {
    var rig = MonitorRig { $0.thresholds[4] = Threshold(rest: Limits(low: 54, hold: 0, hysteresis: 5), exertion: nil) }
    rig.live(50, at: 0, metric: 4)
    #expect(rig.crossings.map(\.metric) == [4])
    #expect(rig.crossings.first?.ruleVersion == "news2-2017.2")
  }

  @Test func sensorsDoNotHideEachOther() {
    var rig = MonitorRig()
    for second in 0...10 {
      rig.live(70, at: Double(second), source: 1)
      rig.live(25, at: Double(second) + 0.5, source: 2)
    }
    #expect(rig.crossings.map(\.kind) == [.low])
    #expect(rig.crossings.first?.readings.allSatisfy { $0.source == 2 } == true)
  }

  @Test func lowAndHighInTurnAreNoCrossingOfEither() {
    var rig = MonitorRig()
    for second in 0..<20 { rig.live(second % 2 == 0 ? 20 : 200, at: Double(second)) }
    #expect(rig.crossings.isEmpty)
  }

  // MARK: Time

  @Test func oldReadingsNeverCall() {
    var rig = MonitorRig()
    rig.pass(to: 1_000)
    for second in 0...60 { rig.take(30, at: Double(second)) }
    rig.pass(to: 1_100)
    #expect(rig.crossings.isEmpty)
    #expect(rig.late == 61)
    // Five minutes are not more than five minutes.
    rig.take(30, at: 1_100 - 300)
    rig.pass(to: 1_100.001)
    #expect(rig.crossings.count == 1)
  }

  @Test func theFirstFreshReadingOfACrossingThatCameLateCalls() {
    var rig = MonitorRig()
    rig.pass(to: 400)
    for second in 0...120 { rig.take(30, at: Double(second)) }
    #expect(rig.crossings.count == 1)
    #expect(rig.crossings.first?.began == MonitorRig.time(0))
    #expect(rig.late == 100)
  }

  @Test func timesThatAreNoTimesAndValuesThatAreNoNumbersDoNothing() {
    var rig = MonitorRig { $0.exertions = [.min..<(.max)] }
    for time in [Microseconds.min, .max, .min + 1, 1 << 60] {
      for value in [Double.nan, .infinity, -.infinity, 0, .greatestFiniteMagnitude] {
        for received in [rig.now, .min, .max] {
          rig.monitor.take(
            Vital(metric: 1, source: 1, time: time, value: value), receivedAt: received, now: received,
            into: &rig.decisions)
        }
        rig.take(value.isFinite ? .nan : value, at: 0)
      }
    }
    for metric in [MetricID.min, -1, 0, 9, 65_536, .max] { rig.take(0, at: 0, metric: metric) }
    rig.monitor.take(.init(latitude: .nan, longitude: 400, accuracy: nil, time: .max), receivedAt: .min)
    rig.monitor.check(at: .max, into: &rig.decisions)
    rig.monitor.check(at: .min, into: &rig.decisions)
    rig.pass(to: 10)
    #expect(rig.decisions.isEmpty)
  }

  @Test func manySourcesTakeBoundedMemory() {
    var rig = MonitorRig()
    for source in 0..<1_000 { rig.take(70, at: Double(source) / 100, source: SourceID(source)) }
    #expect(rig.monitor.trackCount == PersonMonitor.maxTracks)
    for second in 0..<20_000 { rig.take(second % 3 == 0 ? 30 : 70, at: Double(second) / 100, source: 5) }
    #expect(rig.monitor.trouble[0].evidence.allSatisfy { $0.entries.count <= Evidence.maxEntries })
  }

  @Test func memoryOfTroubleGoesWithTheTrouble() {
    var rig = MonitorRig()
    rig.live(70, at: 0)
    rig.live(30, at: 1)
    #expect(!rig.monitor.trouble.isEmpty)
    for second in 2...700 { rig.live(70, at: Double(second)) }
    #expect(rig.monitor.trouble.isEmpty)
    #expect(MemoryLayout<VitalTrack>.size <= 32)
    #expect(MemoryLayout<PersonMonitor>.stride <= 160)
  }

  // MARK: Rules

  @Test func childrenHaveOnlyTheirOwnLimits() {
    var rig = MonitorRig { $0.dateOfBirth = CalendarDate(year: 2015, month: 5, day: 5) }
    for second in 0...9 {
      rig.live(150, at: Double(second))
      rig.live(80, at: Double(second), metric: VitalSign.bloodOxygen)
      rig.live(40, at: Double(second), metric: VitalSign.respiratoryRate)
    }
    #expect(rig.decisions.isEmpty)
    rig = MonitorRig {
      $0.dateOfBirth = CalendarDate(year: 2015, month: 5, day: 5)
      $0.thresholds[1] = Threshold(rest: Limits(high: 160, hysteresis: 5), exertion: nil)
      $0.thresholdsVersion = 3
    }
    for second in 0...9 { rig.live(165, at: Double(second)) }
    #expect(rig.crossings.map(\.ruleVersion) == ["glucose-2025.1+own.3"])
  }

  @Test func newLimitsHoldForWhatIsKept() {
    var rig = MonitorRig()
    rig.live(70, at: 0)
    rig.live(35, at: 1)
    let person = MonitorRig.person { $0.thresholds[1] = Threshold(rest: Limits(low: 30, hysteresis: 5), exertion: nil) }
    rig.monitor.update(person, rules: MonitorRig.rules(person))
    rig.pass(to: 20)
    #expect(rig.crossings.isEmpty)
    rig.monitor.update(MonitorRig.person(), rules: MonitorRig.rules(MonitorRig.person()))
    rig.live(35, at: 21)
    #expect(rig.crossings.count == 1)
  }

  @Test func aWideHysteresisOfOnesOwnStillEnds() {
    let limits = CompiledLimits(Limits(low: 40, high: 130, hysteresis: 1_000))
    #expect(limits.ends(.low, 85) && !limits.ends(.low, 84) && limits.ends(.high, 84) && !limits.ends(.high, 85))
    let odd = CompiledLimits(Limits(low: .nan, high: .nan, hold: .max, hysteresis: .nan))
    #expect(odd.side(of: 0) == .within && odd.hold == Limits.maxHold)
  }

  // MARK: Exertion

  @Test func inADeclaredExertionItsLimitsHoldAndTenMinutesLonger() {
    var rig = MonitorRig { $0.exertions = [MonitorRig.time(0)..<MonitorRig.time(60)] }
    for second in 0..<660 { rig.live(178, at: Double(second)) }
    #expect(rig.crossings.isEmpty)
    // At rest again; the hold begins with the first reading that is beyond a limit of rest.
    rig.live(178, at: 660)
    rig.live(178, at: 662)
    #expect(rig.crossings.isEmpty)
    rig.live(178, at: 663)
    #expect(rig.crossings.map(\.duringExertion) == [false])
    var extreme = MonitorRig { $0.exertions = [MonitorRig.time(0)..<MonitorRig.time(60)] }
    for second in 0...5 { extreme.live(190, at: Double(second)) }
    #expect(extreme.crossings.map(\.duringExertion) == [true])
  }

  // MARK: Calls

  @Test func whatACallSays() {
    var rig = MonitorRig {
      $0.settings.callbackNumber = PhoneNumber("+393331234567")
      $0.settings.contacts = [EmergencyContact(name: "Ada", phone: nil, email: "ada@example.org")]
    }
    rig.live(70, at: 0)
    rig.live(97, at: 1, metric: VitalSign.bloodOxygen)
    rig.live(80, at: 2, metric: 3)
    rig.live(75, at: 3, source: 2)
    let last = LastPosition(latitude: 45.464_211_1, longitude: -9.19, accuracy: nil, time: rig.now)
    rig.monitor.take(last, receivedAt: rig.now)
    rig.monitor.take(.init(latitude: 1, longitude: 1, accuracy: 3, time: rig.now - 1), receivedAt: rig.now)
    #expect(rig.monitor.position == last)
    #expect(rig.monitor.vitals(at: rig.now).map(\.metric) == [1, 3, 6])
    #expect(rig.monitor.vitals(at: rig.now).map(\.value) == [75, 80, 97])
    #expect(rig.monitor.vitals(at: rig.now + PersonMonitor.wordLasts).map(\.value) == [75])
    #expect(rig.monitor.callbackNumber?.description == "+393331234567")
    #expect(rig.monitor.sex == .female && rig.monitor.dateOfBirth == CalendarDate(year: 1960, month: 1, day: 2))
    #expect(rig.monitor.contacts.map(\.name) == ["Ada"])
  }
}
