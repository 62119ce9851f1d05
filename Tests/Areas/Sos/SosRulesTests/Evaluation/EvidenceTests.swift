import TestSupport
import Testing

@testable import Domain
@testable import SosRules

/// What evidence costs and keeps: bounded, and never in favour of silence.
@Suite struct EvidenceTests {
  /// The most work of a reading, in steps: some walks along all that is kept.
  static let mostSteps = PersonMonitor.judgingSteps + 8 * Evidence.maxEntries

  /// Fine readings once a second, then crossings between them out of order, under a source of their own: each is judged,
  /// and none completes a crossing.
  static func adverse(fine: Int, crossings: Int, of source: SourceID, _ random: inout SeededGenerator)
    -> [(time: Double, value: Double)]
  {
    let first = (0..<fine).map { (Double($0), 70.0) }
    return first
      + (0..<crossings).map { _ in
        (Double.random(in: 0..<Double(fine - 1), using: &random), random.pick([195, 195, 20]))
      }
  }

  private static func work(_ readings: [(time: Double, value: Double)]) -> (all: Int, most: Int) {
    var rig = MonitorRig()
    rig.now = MonitorRig.time(299)
    var (all, most) = (0, 0)
    for reading in readings {
      let steps = rig.monitor.take(
        Vital(metric: 1, source: 1, time: MonitorRig.time(reading.time), value: reading.value), receivedAt: rig.now,
        now: rig.now, into: &rig.decisions)
      all += steps
      most = max(most, steps)
    }
    return (all, most)
  }

  @Test("no reading is more than some walks along what is kept", arguments: 0..<10 as Range<UInt64>)
  func workIsBounded(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let few = Self.work(Self.adverse(fine: 299, crossings: 2_425, of: 1, &random))
    let many = Self.work(Self.adverse(fine: 299, crossings: 9_700, of: 1, &random))
    #expect(many.most <= Self.mostSteps, "seed \(seed)")
    #expect(many.all <= 5 * few.all, "seed \(seed): four times as many readings")
  }

  @Test("nor when all are beyond one limit, densely, in any order", arguments: 0..<10 as Range<UInt64>)
  func workOfOneRunIsBounded(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 100)
    // Fine ones every millisecond hide the run of those that come late: it is long and is never completed.
    let fine = (0..<290).map { (Double($0), 70.0) } + (0..<9_000).map { (290 + Double($0) / 1_000, 70.0) }
    let late = (0..<9_700).map { _ in (Double.random(in: 0.1...288.9, using: &random), 195.0) }
    let work = Self.work(fine + late)
    #expect(work.most <= Self.mostSteps, "seed \(seed)")
  }

  @Test func aReadingThatIsFineAndInOrderCostsNoMoreForThose() {
    var rig = MonitorRig()
    for second in 0..<100 {
      let steps = rig.monitor.take(
        Vital(metric: 1, source: 1, time: MonitorRig.time(Double(second)), value: 70), receivedAt: rig.now,
        now: rig.now,
        into: &rig.decisions)
      #expect(second == 0 || steps == PersonMonitor.plainSteps)
    }
  }

  @Test("what is dropped silences nothing", arguments: 0..<200 as Range<UInt64>)
  func droppedInFavourOfCalls(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 200)
    let hold = Double(random.pick([3, 20, 120]))
    var rig = MonitorRig {
      $0.thresholds[1] = Threshold(
        rest: Limits(high: 131, hold: Microseconds(hold) * 1_000_000, hysteresis: 5), exertion: nil)
    }
    rig.now = MonitorRig.time(290)
    // A quick source whose values go up and down, then stay up for the hold time; and all of it in any order.
    let rate = Double(random.pick([5, 20, 50]))
    let began = Double.random(in: 20...100, using: &random)
    var readings = stride(from: 0.0, to: began, by: 1 / rate).map { ($0, random.pick([70.0, 70, 195])) }
    let run = stride(from: began, through: began + hold + 1 / rate, by: 1 / rate).map { ($0, 195.0) }
    if random.chance(0.5) { readings.shuffle(using: &random) }
    readings += random.chance(0.5) ? run : run.reversed()
    for (time, value) in readings { rig.take(value, at: time) }
    #expect(!rig.crossings.isEmpty, "seed \(seed)")
  }

  @Test func aRunKeepsItsBeginningHoweverManyReadingsItHas() throws {
    var rig = MonitorRig {
      $0.thresholds[1] = Threshold(rest: Limits(high: 131, hold: 100_000_000, hysteresis: 5), exertion: nil)
    }
    // 10 Hz: a thousand readings within the hold time, about twice as many as are kept.
    for tenth in 0..<1_001 { rig.live(195, at: Double(tenth) / 10) }
    let crossing = try #require(rig.crossings.first)
    #expect(crossing.began == MonitorRig.time(0) && crossing.completed == MonitorRig.time(100))
    #expect(rig.monitor.trouble[0].evidence[0].entries.count <= Evidence.maxEntries)
  }

  @Test func whatIsLeftOfALongRunThatIsDividedIsNearlyAllOfIt() throws {
    var rig = MonitorRig {
      $0.thresholds[1] = Threshold(rest: Limits(high: 131, hold: 100_000_000, hysteresis: 5), exertion: nil)
    }
    for tenth in 0..<990 { rig.live(195, at: Double(tenth) / 10) }
    rig.take(70, at: 2.05)
    for tenth in 990..<1_050 { rig.live(195, at: Double(tenth) / 10) }
    let crossing = try #require(rig.crossings.first)
    #expect(crossing.began > MonitorRig.time(2.05) && crossing.began < MonitorRig.time(5))
  }

  @Test func aRunThatGoesOnKeepsItsBeginningBeyondTheTimeOfFreshness() throws {
    var rig = MonitorRig {
      $0.thresholds[1] = Threshold(rest: Limits(high: 131, hold: 299_000_000, hysteresis: 5), exertion: nil)
    }
    rig.pass(to: 5)
    rig.take(195, at: 0)
    rig.take(195, at: 1)
    rig.pass(to: 310)
    #expect(rig.crossings.isEmpty)
    rig.take(195, at: 299.5)
    let crossing = try #require(rig.crossings.first)
    #expect(crossing.began == MonitorRig.time(0))
  }

  @Test func manySensorsThatSayTheSameTakeBoundedMemory() {
    var rig = MonitorRig()
    for source in 0..<1_000 {
      rig.take(195, at: 0, source: SourceID(source))
      rig.take(195, at: 4, source: SourceID(source))
    }
    #expect(rig.crossings.count == 1)
    #expect(rig.monitor.trouble[0].joined.count <= PersonMonitor.maxJoined)
  }
}
