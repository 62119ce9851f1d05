import Testing

@testable import Domain
@testable import SosRules

/// The default limits of blood glucose, in mg/dL, as a sensor meets them that says a value every one to five minutes.
@Suite struct GlucoseTests {
  private static let glucose = VitalSign.bloodGlucose

  private static func rig(age years: Int = 40, _ change: (inout MonitoredPerson) -> Void = { _ in }) -> MonitorRig {
    MonitorRig {
      $0.dateOfBirth = CalendarDate(year: 2023 - years, month: 1, day: 2)
      change(&$0)
    }
  }

  @Test(
    "A-R15, B-R.S2: 53 calls and 54 does not, at every age from 1 on, at rest and in exertion",
    arguments: [1, 15, 16, 40, 90], [false, true])
  func limits(age: Int, isExerting: Bool) throws {
    for (value, kind) in [
      (53, .low), (53.99, .low), (54, nil), (100, nil), (483.9, nil), (484, .high), (500, .high),
    ] as [(Double, CrossingKind?)] {
      var rig = Self.rig(age: age) {
        if isExerting { $0.exertions = [MonitorRig.time(-600)..<MonitorRig.time(600)] }
      }
      rig.live(value, at: 0, metric: Self.glucose)
      rig.pass(to: 2.99)
      #expect(rig.crossings.isEmpty)
      rig.pass(to: 600)
      #expect(rig.crossings.map(\.kind) == (kind.map { [$0] } ?? []), "\(value) mg/dL")
      guard let crossing = rig.crossings.first else { continue }
      #expect(crossing.metric == 4 && crossing.limit == (kind == .low ? 54 : 484) && crossing.value == value)
      #expect(crossing.completed == MonitorRig.time(3) && crossing.duringExertion == isExerting)
      #expect(crossing.ruleVersion == (age < 16 ? "glucose-2025.1" : "news2-2017.2"))
    }
  }

  @Test("an infant under 1 has no limits of glucose, and an age that is not known counts as adult")
  func ages() {
    for (born, calls) in [(CalendarDate(year: 2023, month: 1, day: 2), false), (nil, true)] {
      var rig = MonitorRig { $0.dateOfBirth = born }
      rig.live(40, at: 0, metric: Self.glucose)
      rig.pass(to: 10)
      #expect(rig.crossings.isEmpty != calls)
    }
  }

  @Test(
    "a value that wavers about the limit is one emergency; from 69 on it is over, and ten minutes later the next calls",
    arguments: [60.0, 300])
  func hysteresis(interval: Double) {
    var rig = Self.rig()
    var time = 0.0
    func measure(_ values: [Double]) {
      for value in values {
        rig.live(value, at: time, metric: Self.glucose)
        time += interval
      }
    }
    measure([70, 53, 54, 52, 60, 68.9, 50, 66])
    // However long it stays below the end of the crossing.
    measure(Array(repeating: 68.9, count: 20))
    measure([53])
    #expect(rig.crossings.count == 1 && rig.emergencies.count == 1)
    measure(Array(repeating: 69, count: Int(600 / interval) + 1))
    measure([53])
    rig.pass(to: time)
    #expect(rig.crossings.count == 2 && rig.emergencies.count == 2)
  }

  @Test("the last value of a sensor that says one every five minutes still calls, an older one does not")
  func freshness() {
    for (age, calls) in [(0.0, true), (60, true), (290, true), (301, false)] {
      var rig = Self.rig()
      rig.pass(to: age)
      rig.take(40, at: 0, metric: Self.glucose)
      rig.pass(to: age + 5)
      #expect(rig.crossings.isEmpty != calls, "\(age) s old")
      #expect(rig.late == (calls ? 0 : 1))
    }
  }

  @Test("glucose scores nothing")
  func score() {
    var rig = Self.rig()
    // Six points: one below the limit of the score.
    rig.live(22, at: 0, metric: VitalSign.respiratoryRate)
    rig.live(93, at: 0, metric: VitalSign.bloodOxygen)
    rig.live(112, at: 0)
    for second in stride(from: 1.0, to: 120, by: 10) { rig.live(55, at: second, metric: Self.glucose) }
    rig.pass(to: 200)
    #expect(rig.crossings.isEmpty)
    rig.live(20, at: 201, metric: Self.glucose)
    rig.pass(to: 210)
    #expect(rig.crossings.map(\.kind) == [.low])
  }

  @Test("own limits of glucose stand in the place of the defaults")
  func own() {
    var rig = Self.rig { $0.thresholds[4] = Threshold(rest: Limits(low: 45, hysteresis: 5), exertion: nil) }
    rig.live(46, at: 0, metric: Self.glucose)
    rig.pass(to: 10)
    #expect(rig.crossings.isEmpty)
    rig.live(44, at: 11, metric: Self.glucose)
    rig.pass(to: 20)
    #expect(rig.crossings.map(\.limit) == [45])
  }
}
