import TestSupport
import Testing

@testable import Domain
@testable import SosRules

/// No order, duplicate, gap or wrong clock makes the evaluation miss a sustained crossing or invent one. Every failure
/// names its seed.
@Suite struct MonitorPropertyTests {
  private static let second: Microseconds = 1_000_000

  /// What a source measured: a walk about the limits that stays beyond them now and then.
  private static func measured(_ random: inout SeededGenerator) -> [(time: Double, value: Double)] {
    var readings: [(time: Double, value: Double)] = []
    var time = 0.0
    var value = 70.0
    let period = random.pick([0.25, 1, 1, 2, 5, 10])
    for _ in 0..<Int.random(in: 5...60, using: &random) {
      time += random.chance(0.1) ? period * Double(Int.random(in: 1...6, using: &random)) : period
      if random.chance(0.2) { value = random.pick([0, 30, 40.9, 41, 45, 70, 125, 130.9, 131, 180]) }
      readings.append((time, value))
    }
    return readings
  }

  /// The readings as they arrive: late, out of order, twice, some never.
  private static func arrivals(
    _ measured: [(time: Double, value: Double)], _ random: inout SeededGenerator
  ) -> [(at: Double, time: Double, value: Double)] {
    let skew = random.pick([0, 0, Double.random(in: -240...240, using: &random)])
    let delay = random.pick([0.0, 0.5, 5, 30])
    var arrivals: [(at: Double, time: Double, value: Double)] = []
    for reading in measured where !random.chance(0.05) {
      for _ in 0..<(random.chance(0.1) ? 2 : 1) {
        let at = reading.time + (delay > 0 ? Double.random(in: 0...delay, using: &random) : 0)
        arrivals.append((at, reading.time + skew, reading.value))
      }
    }
    return arrivals.sorted { $0.at < $1.at }
  }

  @Test("each crossing at the moment at which the rule says so", arguments: 0..<100 as Range<UInt64>)
  func sameAsTheRule(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limits = Limits(
      low: 41, high: 131, hold: random.pick([0, 1, 3, 3, 3, 20]) * Self.second, hysteresis: 5)
    var rig = MonitorRig { $0.thresholds[1] = Threshold(rest: limits, exertion: nil) }
    var slow = SlowEvaluator(limits: limits)
    // Two readings that change places: the source is known to have no order, so all that comes is kept. They are older
    // than what follows by any clock, which would else have been set back.
    for time in [-260.0, -300, -280] {
      rig.take(70, at: time)
      slow.take(70, time: MonitorRig.time(time), at: rig.now)
    }
    var found: [CrossingKind: Microseconds] = [:]
    func look(_ slow: SlowEvaluator, _ now: Microseconds) {
      for kind in slow.completed(at: now) where found[kind] == nil { found[kind] = now }
    }
    let arrivals = Self.arrivals(Self.measured(&random), &random)
    for arrival in arrivals {
      // The clock moves in steps of 250 ms, and at each step timers are looked at.
      while rig.now + 250_000 <= MonitorRig.time(arrival.at) {
        rig.now += 250_000
        rig.monitor.check(at: rig.now, into: &rig.decisions)
        look(slow, rig.now)
      }
      rig.take(arrival.value, at: arrival.time)
      slow.take(arrival.value, time: MonitorRig.time(arrival.time), at: rig.now)
      look(slow, rig.now)
    }
    for _ in 0..<200 {
      rig.now += 250_000
      rig.monitor.check(at: rig.now, into: &rig.decisions)
      look(slow, rig.now)
    }
    let got = Dictionary(uniqueKeysWithValues: rig.crossings.map { ($0.kind, $0.completed) })
    #expect(got == found, "seed \(seed)")
    #expect(rig.emergencies.count == (found.isEmpty ? 0 : 1), "seed \(seed)")
  }

  @Test("whatever the order, what has been sustained is found", arguments: 0..<300 as Range<UInt64>)
  func neverMissed(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 10_000)
    var rig = MonitorRig()
    var slow = SlowEvaluator(limits: Limits(low: 41, high: 131, hysteresis: 5))
    // No warning that order will be lost, and no timer: the readings alone.
    let measured = Self.measured(&random)
    rig.pass(to: measured.last!.time)
    for reading in measured.shuffled(using: &random) {
      rig.take(reading.value, at: reading.time)
      slow.take(reading.value, time: MonitorRig.time(reading.time), at: rig.now)
    }
    var silent = rig
    silent.monitor.check(at: silent.now, into: &silent.decisions)
    #expect(Set(silent.crossings.map(\.kind)).isSuperset(of: slow.completed(at: rig.now)), "seed \(seed)")
  }

  @Test("fine readings once a second hide late glitches, whatever their order", arguments: 0..<100 as Range<UInt64>)
  func neverInvented(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 20_000)
    var rig = MonitorRig()
    let length = Int.random(in: 10...280, using: &random)
    for second in 0..<length { rig.live(70, at: Double(second)) }
    // Glitches between fine readings come late, in any order.
    let glitches = (0..<length - 1).filter { _ in random.chance(0.3) }.shuffled(using: &random)
    for second in glitches {
      rig.take(random.pick([0, 250]), at: Double(second) + Double.random(in: 0.1...0.9, using: &random))
    }
    rig.live(70, at: Double(length))
    rig.pass(to: Double(length) + 30)
    #expect(rig.crossings.isEmpty, "seed \(seed)")
  }

  @Test func inDoubtItCalls() {
    // Once a minute, in order; then two late readings between two that may have been neighbours.
    var rig = MonitorRig()
    for minute in 0...4 { rig.live(70, at: Double(minute) * 60) }
    rig.take(30, at: 130)
    rig.take(30, at: 135)
    #expect(rig.crossings.count == 1)
  }

  @Test("clocks wrong by up to four minutes", arguments: [-240.0, -120, 0, 120, 240])
  func wrongClocks(skew: Double) {
    var rig = MonitorRig()
    for second in 0..<120 {
      rig.pass(to: Double(second))
      rig.take(second < 60 ? 70 : 25, at: Double(second) + skew)
    }
    #expect(rig.crossings.count == 1)
    #expect(rig.crossings.first?.completed == MonitorRig.time(63))
  }

  @Test("a clock that is put right while values are beyond", arguments: [-240.0, 240])
  func clocksPutRight(skew: Double) {
    var rig = MonitorRig()
    for second in 0..<60 { rig.live(70, at: Double(second)) }
    for second in 60..<70 {
      rig.pass(to: Double(second))
      rig.take(70, at: Double(second) + skew)
    }
    for second in 70..<80 { rig.live(25, at: Double(second)) }
    #expect(rig.crossings.count == 1)
  }

  @Test("anything at all", arguments: 0..<50 as Range<UInt64>) func neverTraps(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 30_000)
    var rig = MonitorRig {
      $0.settings.silence = SilenceRule(notifyAfterMinutes: .max, callAfterMinutes: .max)
      $0.thresholds[60_000] = Threshold(
        rest: Limits(low: .infinity, high: -.infinity, hold: .min, hysteresis: -.infinity), exertion: nil)
    }
    let times: [Microseconds] = [.min, .max, 0, rig.now, rig.now + 1, rig.now - 400_000_000, -2_208_988_800_000_000]
    for _ in 0..<500 {
      let time = random.pick(times) &+ Microseconds.random(in: -5_000_000...5_000_000, using: &random)
      let vital = Vital(
        metric: random.pick([0, 1, 1, 2, 6, 7, 60_000, .max]), source: random.pick([.min, 0, 1, .max]), time: time,
        value: random.pick([0, 70, 200, .nan, .infinity, -.greatestFiniteMagnitude, .greatestFiniteMagnitude]))
      let now = random.chance(0.9) ? rig.now : random.pick(times)
      rig.monitor.take(vital, receivedAt: now, now: now, into: &rig.decisions)
      rig.monitor.check(at: now, into: &rig.decisions)
      rig.monitor.checkSilence(at: now, end: { _ in nil }, into: &rig.decisions)
      if random.chance(0.1), let id = rig.emergencies.last { rig.monitor.end(id, at: now) }
      rig.now += random.chance(0.5) ? 0 : 1_000_000
    }
    _ = rig.monitor.vitals(at: .max / 2)
  }
}
