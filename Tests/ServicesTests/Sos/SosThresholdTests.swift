import Domain
import RPCRuntime
import ServiceAPI
import SosRules
import Testing
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

@Suite(.timeLimit(.minutes(5))) struct SosThresholdTests {
  @Test("the list has the limits that hold: defaults of adults, those of children, and the person's own")
  func list() async throws {
    try await withServer { rig in
      let (_, adult) = try await rig.member("ada")
      let (_, child) = try await rig.member("kid", born: "2012-05-05")
      let defaults = try await rig.sosClient.listThresholds(.init(), metadata: adult)
      #expect(
        defaults.thresholds.map(\.metric) == [
          "heart_rate", "systolic_blood_pressure", "blood_glucose", "body_temperature", "blood_oxygen",
          "respiratory_rate",
        ])
      #expect(defaults.thresholds.allSatisfy { $0.isDefault })
      #expect(defaults.thresholds[0].rest?.low == 41 && defaults.thresholds[0].rest?.high == 131)
      #expect(defaults.thresholds[0].rest?.holdMs == 3_000)
      #expect(defaults.scoreLimit == 7 && defaults.ruleVersion == "news2-2017.2")
      let none = try await rig.sosClient.listThresholds(.init(), metadata: child)
      let glucose = Trackme_Sos_V1_Limits(low: 54, high: 484, holdMs: 3_000, hysteresis: 15)
      #expect(
        none.thresholds == [.init(metric: "blood_glucose", rest: glucose, exertion: glucose, isDefault: true)]
          && none.thresholds[0] == defaults.thresholds[2])
      #expect(none.scoreLimit == 0 && none.ruleVersion == "glucose-2025.1")
      // The scale is a setting.
      _ = try await rig.update(adult) { $0.usesOxygenScale2 = true }
      let scale2 = try await rig.sosClient.listThresholds(.init(), metadata: adult)
      #expect(scale2.thresholds[4].rest?.low == 84)
    }
  }

  @Test("own limits hold at once, each change makes a new version, and a reset brings the default back")
  func setAndReset() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      _ = try await rig.update(caller) { $0.enabled = true }
      let own = Trackme_Sos_V1_Threshold(
        metric: "heart_rate", rest: .init(low: 45.5, high: 120, holdMs: 600_000, hysteresis: 2), isDefault: true)
      let set = try await rig.sosClient.setThreshold(.init(threshold: own), metadata: caller)
      #expect(set.threshold?.isDefault == false && set.threshold?.rest == own.rest && set.threshold?.exertion == nil)
      #expect(set.ruleVersion == "news2-2017.2+own.1")
      #expect(
        rig.monitor[person]?.thresholds
          == [1: Threshold(rest: Limits(low: 45.5, high: 120, hold: 600_000_000, hysteresis: 2), exertion: nil)])
      let again = try await rig.sosClient.setThreshold(.init(threshold: own), metadata: caller)
      #expect(again.ruleVersion == set.ruleVersion)
      // A metric without a default, and one without limits at all.
      let weight = try await rig.sosClient.setThreshold(
        .init(threshold: .init(metric: "weight", rest: .init(low: 54))), metadata: caller)
      #expect(weight.ruleVersion == "news2-2017.2+own.2")
      let none = try await rig.sosClient.setThreshold(
        .init(threshold: .init(metric: "respiratory_rate")), metadata: caller)
      #expect(none.threshold?.rest == nil && none.threshold?.exertion == nil)
      let all = try await rig.sosClient.listThresholds(.init(), metadata: caller)
      #expect(
        all.thresholds.filter { !$0.isDefault }.map(\.metric) == ["heart_rate", "respiratory_rate", "weight"])
      let back = try await rig.sosClient.resetThreshold(.init(metric: "heart_rate"), metadata: caller)
      #expect(back.threshold?.rest?.low == 41 && back.threshold?.isDefault == true)
      #expect(back.ruleVersion == "news2-2017.2+own.4")
      let gone = try await rig.sosClient.resetThreshold(.init(metric: "weight"), metadata: caller)
      #expect(gone.threshold == nil && gone.ruleVersion == "news2-2017.2+own.5")
      #expect(
        try await rig.sosClient.resetThreshold(.init(metric: "weight"), metadata: caller).ruleVersion
          == gone.ruleVersion)
    }
  }

  @Test("what is wrong with limits is named field by field")
  func violations() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      func refused(_ threshold: Trackme_Sos_V1_Threshold?) async -> [String] {
        await fields { _ = try await rig.sosClient.setThreshold(.init(threshold: threshold), metadata: caller) }
      }
      func rest(_ limits: Trackme_Sos_V1_Limits) async -> [String] {
        await refused(.init(metric: "heart_rate", rest: limits))
      }
      #expect(await refused(nil) == ["threshold"])
      #expect(await refused(.init(metric: "no_such", rest: .init(low: -1))) == ["threshold.metric"])
      for metric in ["ecg", "position", ""] { #expect(await refused(.init(metric: metric)) == ["threshold.metric"]) }
      #expect(await rest(.init()) == ["threshold.rest"])
      #expect(await rest(.init(low: -1)) == ["threshold.rest.low"])
      #expect(await rest(.init(high: 401)) == ["threshold.rest.high"])
      #expect(await rest(.init(high: 0)) == ["threshold.rest.high"])
      #expect(await rest(.init(low: .nan, high: .infinity)) == ["threshold.rest.low", "threshold.rest.high"])
      #expect(await rest(.init(low: 100, high: 100)) == ["threshold.rest.high"])
      #expect(await rest(.init(low: 40, holdMs: -1)) == ["threshold.rest.hold_ms"])
      #expect(await rest(.init(low: 40, holdMs: 600_001)) == ["threshold.rest.hold_ms"])
      #expect(await rest(.init(low: 40, holdMs: .max)) == ["threshold.rest.hold_ms"])
      for hysteresis in [-1, .nan, -.infinity, .infinity, 60] as [Double] {
        #expect(await rest(.init(low: 40, high: 100, hysteresis: hysteresis)) == ["threshold.rest.hysteresis"])
      }
      #expect(await rest(.init(low: 350, hysteresis: 50)) == ["threshold.rest.hysteresis"])
      #expect(
        await refused(.init(metric: "heart_rate", rest: .init(low: 500), exertion: .init(low: 9, high: 8)))
          == ["threshold.rest.low", "threshold.exertion.high"])
      #expect(await rest(.init(low: 40, high: 100, hysteresis: 59.9)) == [])
      #expect(
        await fields { _ = try await rig.sosClient.resetThreshold(.init(metric: "pulse"), metadata: caller) }
          == ["metric"])
    }
  }

  @Test("exertions are declared, listed and ended, and hold at once")
  func exertions() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let (_, other) = try await rig.member("bea")
      _ = try await rig.update(caller) { $0.enabled = true }
      let minute: Microseconds = 60_000_000
      func declare(
        from: Microseconds? = nil, to: Microseconds?, id: String = ""
      ) async throws -> Trackme_Sos_V1_Exertion? {
        try await rig.sosClient.declareExertion(
          .init(requestID: id, from: from.map { .init($0) }, to: to.map { .init($0) }), metadata: caller
        ).exertion
      }
      let now = ServiceRig.now
      let run = try #require(try await declare(to: now + 30 * minute, id: "run"))
      #expect(run.from == .init(now) && run.to == .init(now + 30 * minute))
      #expect(rig.monitor[person]?.exertions == [now..<now + 30 * minute])
      #expect(try await declare(to: now - 1, id: "run") == run)
      let later = try #require(try await declare(from: now + 60 * minute, to: now + 61 * minute))
      let listed = try await rig.sosClient.listExertions(.init(), metadata: caller).exertions
      #expect(listed == [run, later])
      #expect(try await rig.sosClient.listExertions(.init(), metadata: other).exertions == [])
      #expect(
        await reason {
          _ = try await rig.sosClient.endExertion(.init(exertionID: run.exertionID), metadata: other)
        } == "NO_EXERTION")
      for _ in 0..<2 {
        _ = try await rig.sosClient.endExertion(.init(exertionID: later.exertionID), metadata: caller)
      }
      #expect(try await rig.sosClient.listExertions(.init(), metadata: caller).exertions == [run])
      #expect(rig.monitor[person]?.exertions == [now..<now + 30 * minute])

      let day = 1_440 * minute
      #expect(await fields { _ = try await declare(to: nil) } == ["to"])
      #expect(await fields { _ = try await declare(to: now) } == ["to"])
      #expect(await fields { _ = try await declare(from: now - 2, to: now - 1) } == ["to"])
      #expect(await fields { _ = try await declare(to: now + day + 1) } == ["to"])
      #expect(await fields { _ = try await declare(from: now + 7 * day + 1, to: now + 7 * day + 2) } == ["from"])
      #expect(await fields { _ = try await declare(to: now + 1, id: "a\nb") } == ["request_id"])
      #expect(
        await fields { _ = try await rig.sosClient.endExertion(.init(exertionID: 0), metadata: caller) }
          == ["exertion_id"])
      for _ in 0..<19 { _ = try await declare(to: now + minute) }
      #expect(await reason { _ = try await declare(to: now + minute) } == "TOO_MANY_EXERTIONS")
    }
  }

  @Test("B-R.S2: a backtest tells when limits would have called, and tries others without setting them")
  func backtest() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let second: Microseconds = 1_000_000
      let begin = ServiceRig.now - 86_400 * second
      // A quarter of an hour apart: fine, too high for ten seconds, fine, too low for ten seconds.
      let values: [(Microseconds, Double)] = [70.0, 150, 70, 30].enumerated().flatMap { part, value in
        (0..<10).map { (begin + (Int64(part) * 900 + Int64($0)) * second, value) }
      }
      try await rig.record(person, values, source: "strap")
      func run(
        _ thresholds: [Trackme_Sos_V1_Threshold] = [], from: Microseconds = begin, to: Microseconds = ServiceRig.now
      ) async throws -> Trackme_Sos_V1_BacktestThresholdsResponse {
        try await rig.sosClient.backtestThresholds(
          .init(thresholds: thresholds, from: .init(from), to: .init(to)), metadata: caller)
      }
      let defaults = try await run()
      #expect(defaults.evaluatedReadings == 40 && !defaults.isTruncated)
      let crossings = defaults.episodes.flatMap(\.crossings)
      #expect(crossings.map(\.kind) == [.high, .low] && defaults.episodes.count == 2)
      #expect(crossings.map(\.beganUs) == [begin + 900 * second, begin + 2_700 * second])
      #expect(crossings[0].metric == "heart_rate" && crossings[0].readings.first?.source == "strap")
      #expect(crossings[0].completedUs == begin + 903 * second && crossings[0].ruleVersion == "news2-2017.2")
      let tried = try await run([.init(metric: "heart_rate", rest: .init(high: 160))])
      #expect(tried.episodes.isEmpty)
      let strict = try await run([.init(metric: "heart_rate", rest: .init(high: 65, holdMs: 0))])
      #expect(strict.episodes.count == 1 || strict.episodes.count == 3)
      #expect(strict.episodes[0].crossings[0].ruleVersion == "trial")
      #expect(try await rig.sosClient.listThresholds(.init(), metadata: caller).thresholds.allSatisfy { $0.isDefault })
      #expect(try await run(to: begin + 900 * second).episodes.isEmpty)
      // Others' readings are no part of it.
      let (_, other) = try await rig.member("bea")
      let theirs = try await rig.sosClient.backtestThresholds(
        .init(from: .init(begin), to: .init(ServiceRig.now)), metadata: other)
      #expect(theirs.evaluatedReadings == 0 && theirs.episodes.isEmpty)

      #expect(
        await fields { _ = try await rig.sosClient.backtestThresholds(.init(), metadata: caller) } == ["from", "to"])
      #expect(await fields { _ = try await run(from: begin, to: begin) } == ["to"])
      #expect(await fields { _ = try await run(from: begin, to: begin + 31 * 86_400 * second + 1) } == ["to"])
      let twice = Trackme_Sos_V1_Threshold(metric: "heart_rate", rest: .init(low: 500))
      #expect(await fields { _ = try await run([twice, twice]) }.contains("thresholds[1].metric"))
      #expect(await fields { _ = try await run([twice]) } == ["thresholds[0].rest.low"])
    }
  }
}
