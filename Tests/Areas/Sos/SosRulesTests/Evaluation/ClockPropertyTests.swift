import TestSupport
import Testing

@testable import Domain
@testable import SosRules

/// Clocks that step, drift and differ, deliveries late, twice and out of order (A-R15, B-R.S2): every sustained crossing in
/// the person's own time is called within five seconds of the receipt of what establishes it, and nothing is called for
/// that was not sustained. Every failure names its seed.
@Suite struct ClockPropertyTests {
  /// By the clock of a source, which may be slow.
  private static let hold = 3.005
  private static let callS = 5.0
  private static let end = 460.0

  /// The clock of a source: how far it is ahead of the true time.
  struct Clock {
    var ahead: Double
    /// Seconds a second.
    var drift = 0.0
    var steps: [(at: Double, by: Double)] = []

    func reading(at time: Double) -> Double {
      time + ahead + drift * time + steps.reduce(0) { $1.at <= time ? $0 + $1.by : $0 }
    }
  }

  struct Reading {
    let taken: Double
    /// By the clock of its source.
    let time: Double
    var received: Double
    let value: Double
    let source: SourceID
  }

  /// A clock that is up to four and a half minutes wrong, and is set once or twice.
  private static func clock(_ random: inout SeededGenerator, steps times: [Double]) -> Clock {
    var clock = Clock(ahead: random.pick([0, 0, Double.random(in: -240...240, using: &random)]))
    clock.drift = random.pick([0, 0, 1e-4, -1e-3, 1e-3])
    var ahead = clock.ahead
    for time in times.sorted() {
      let next = random.pick([
        0, -ahead / 2, Double.random(in: -240...240, using: &random),
        ahead + Double.random(in: -40...40, using: &random),
      ])
      let bounded = min(max(next, -240), 240)
      clock.steps.append((time, bounded - ahead))
      ahead = bounded
    }
    return clock
  }

  /// How readings come from a source to the server.
  enum Delivery {
    /// Each by itself, later by what delays vary.
    case live(jitter: Double)
    case batches(every: Double)
  }

  private static func readings(
    _ clock: Clock, _ delivery: Delivery, period: Double, source: SourceID, _ random: inout SeededGenerator,
    value: (Double) -> Double
  ) -> [Reading] {
    var readings: [Reading] = []
    let phase = Double.random(in: 0..<period, using: &random)
    for taken in stride(from: phase, to: end, by: period) where !random.chance(0.02) {
      let received =
        switch delivery {
        case .live(let jitter): taken + 0.05 + (jitter > 0 ? Double.random(in: 0..<jitter, using: &random) : 0)
        case .batches(let every): (taken / every).rounded(.down) * every + every
        }
      let reading = Reading(
        taken: taken, time: clock.reading(at: taken), received: received, value: value(taken), source: source)
      // The server takes nothing from further ahead.
      guard reading.time <= received + 300 else { continue }
      readings.append(reading)
    }
    return readings
  }

  /// Some come twice.
  private static func arrivals(_ readings: [Reading], _ random: inout SeededGenerator) -> [Reading] {
    let again = readings.filter { _ in random.chance(0.03) }.map { reading in
      var reading = reading
      reading.received += Double.random(in: 0...20, using: &random)
      return reading
    }
    return (readings + again).enumerated()
      .sorted { ($0.element.received, $0.offset) < ($1.element.received, $1.offset) }.map(\.element)
  }

  private static func run(_ arrivals: [Reading]) -> MonitorRig {
    var rig = MonitorRig()
    for reading in arrivals {
      rig.pass(to: reading.received)
      rig.take(reading.value, at: reading.time, source: reading.source)
    }
    rig.pass(to: end + 60)
    return rig
  }

  /// When what was received first establishes that values were beyond a limit for the hold time, as they were taken.
  private static func established(_ readings: [Reading]) -> Double? {
    let ordered = readings.sorted { $0.taken < $1.taken }
    var best: Double?
    for first in ordered.indices where ordered[first].value > 130 {
      var received = 0.0
      for last in ordered[first...] {
        guard last.value > 130 else { break }
        received = max(received, last.received)
        if last.taken - ordered[first].taken >= hold {
          best = min(best ?? .infinity, received)
          break
        }
      }
    }
    return best
  }

  @Test("every sustained crossing is called within five seconds", arguments: 0..<400 as Range<UInt64>)
  func called(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 40_000)
    let began = Double.random(in: 300...400, using: &random)
    var ended = began + Double.random(in: 4...30, using: &random)
    // Before, within or after.
    let steps = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      random.pick([began - 0.01, Double.random(in: began - 60...ended + 5, using: &random)])
    }
    let delivery = random.pick([
      Delivery.live(jitter: 0), .live(jitter: 0.5), .live(jitter: 1.5), .batches(every: 2), .batches(every: 5),
    ])
    let clock = Self.clock(&random, steps: steps)
    // A step back of a few seconds hides as many: the crossing lasts longer than that.
    if clock.steps.contains(where: { abs($0.by) < 8 }) { ended = max(ended, began + 12) }
    let measured = Self.readings(
      clock, delivery, period: random.pick([0.5, 1, 1, 2]), source: 1, &random
    ) { [ended] in began...ended ~= $0 ? 195 : 70 }
    // Another sensor measures nothing, by a clock of its own.
    let other = Self.readings(
      Self.clock(&random, steps: steps), .live(jitter: 1), period: 1, source: 2, &random
    ) { _ in 75 }
    let rig = Self.run(Self.arrivals(measured + (random.chance(0.5) ? other : []), &random))
    guard let established = Self.established(measured) else { return }
    let crossing = try #require(rig.crossings.first, "seed \(seed): not called, established at \(established)")
    #expect(
      crossing.completed <= MonitorRig.time(established + Self.callS),
      "seed \(seed): \(Double(crossing.completed - MonitorRig.start) / 1e6), established at \(established)")
    #expect(crossing.completed >= MonitorRig.time(began), "seed \(seed)")
  }

  @Test("what is not sustained is not called for", arguments: 0..<400 as Range<UInt64>)
  func notInvented(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 50_000)
    let period = random.pick([0.5, 1.0])
    // A second beyond the limit, now and then; the clock steps between.
    let glitches = stride(from: 20.0, to: Self.end - 20, by: 20).filter { _ in random.chance(0.5) }
    let steps = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Double(Int.random(in: 1...20, using: &random)) * 20 + 10
    }
    let delivery = random.pick([Delivery.live(jitter: 0), .live(jitter: 0.3), .live(jitter: 0.8)])
    let readings = Self.readings(
      Self.clock(&random, steps: steps), delivery, period: period, source: 1, &random
    ) { taken in glitches.contains { $0..<$0 + 1 ~= taken } ? 195 : 70 }
    let other = Self.readings(
      Self.clock(&random, steps: steps), delivery, period: 1, source: 2, &random
    ) { _ in 75 }
    let rig = Self.run(Self.arrivals(readings + other, &random))
    #expect(
      rig.crossings.isEmpty, "seed \(seed): \(rig.crossings.map { Double($0.completed - MonitorRig.start) / 1e6 })")
  }

  // MARK: The same, one by one

  @Test("a clock that was minutes ahead for long is put right", arguments: [40.0, 120, 240, 290])
  func putRight(ahead: Double) throws {
    var rig = MonitorRig()
    for second in 0..<400 {
      rig.pass(to: Double(second))
      rig.take(70, at: Double(second) + ahead)
    }
    for second in 400..<420 { rig.live(195, at: Double(second)) }
    let crossing = try #require(rig.crossings.first)
    #expect(crossing.completed == MonitorRig.time(403))
    #expect(crossing.began == MonitorRig.time(400))
  }

  @Test("a clock that was right is put back", arguments: [6.0, 20, 120, 240])
  func putWrong(behind: Double) throws {
    var rig = MonitorRig()
    for second in 0..<400 { rig.live(70, at: Double(second)) }
    for second in 400..<420 {
      rig.pass(to: Double(second))
      rig.take(195, at: Double(second) - behind - 0.5)
    }
    let crossing = try #require(rig.crossings.first)
    #expect(crossing.completed <= MonitorRig.time(403 + Self.callS))
  }

  @Test func aReadingOfTheFutureHidesNothing() {
    var rig = MonitorRig()
    for second in 0..<60 { rig.live(70, at: Double(second)) }
    rig.take(70, at: 59 + 299)
    for second in 60..<64 { rig.live(25, at: Double(second)) }
    #expect(rig.crossings.count == 1)
  }

  @Test func aReadingOfTheFutureThatIsBeyondIsContradictedByThePresent() {
    var rig = MonitorRig()
    for second in 0..<60 { rig.live(70, at: Double(second)) }
    rig.take(195, at: 59 + 299)
    for second in 60..<90 { rig.live(70, at: Double(second)) }
    #expect(rig.crossings.isEmpty)
  }

  @Test func aCrossingGoesOnOverAStepOfTheClock() throws {
    var rig = MonitorRig()
    for second in 0..<300 {
      rig.pass(to: Double(second))
      rig.take(second < 298 ? 70 : 195, at: Double(second) + 240)
    }
    rig.live(195, at: 300)
    #expect(rig.crossings.isEmpty)
    rig.live(195, at: 301)
    let crossing = try #require(rig.crossings.first)
    #expect(crossing.completed == MonitorRig.time(301))
  }

  @Test func readingsThatWaitedInADeviceAreNoStepOfItsClock() {
    var rig = MonitorRig()
    for second in 0..<100 where second < 40 || second >= 80 { rig.live(70, at: Double(second)) }
    // Every other one of what was measured meanwhile, then the rest: each glitch lies between fine ones.
    for second in stride(from: 40, to: 80, by: 2) { rig.take(70, at: Double(second)) }
    for second in stride(from: 41, to: 80, by: 2) { rig.take(195, at: Double(second)) }
    rig.live(70, at: 100)
    rig.pass(to: 200)
    #expect(rig.crossings.isEmpty)
  }

  @Test func inOneMessageOfOldReadingsADoubtAboutTheClockCalls() {
    var rig = MonitorRig()
    for second in 0..<30 { rig.live(70, at: Double(second)) }
    rig.pass(to: 74.9)
    rig.take(70, at: 30)
    // By their times each of those that are beyond lies between two fine ones; by their order none does.
    rig.pass(to: 75)
    for second in 31...50 { rig.take(70, at: Double(second)) }
    for second in 31..<37 { rig.take(195, at: Double(second) + 0.5) }
    #expect(rig.crossings.count == 1)
  }

  @Test func theScoreCountsTheNewWordOfAClockThatIsPutBack() {
    for ahead in [240.0, 0] {
      var rig = MonitorRig()
      for second in 0..<300 {
        rig.pass(to: Double(second))
        rig.take(70, at: Double(second) + ahead)
        rig.take(22, at: Double(second), metric: VitalSign.respiratoryRate, source: 2)
        rig.take(93, at: Double(second), metric: VitalSign.bloodOxygen, source: 2)
        rig.take(38.5, at: Double(second), metric: VitalSign.bodyTemperature, source: 2)
      }
      #expect(rig.crossings.isEmpty)
      for second in 300..<330 {
        rig.pass(to: Double(second))
        rig.take(115, at: Double(second) + ahead - 240)
      }
      #expect(rig.crossings.map(\.kind) == [.score], "ahead \(ahead)")
    }
  }

  @Test func aClockThatIsAheadHidesNoOtherSourceFromTheScore() {
    var rig = MonitorRig()
    rig.take(70, at: 290, source: 1)
    for second in 0..<10 {
      rig.live(115, at: Double(second), source: 2)
      rig.take(22, at: Double(second), metric: VitalSign.respiratoryRate, source: 2)
      rig.take(93, at: Double(second), metric: VitalSign.bloodOxygen, source: 2)
      rig.take(38.5, at: Double(second), metric: VitalSign.bodyTemperature, source: 2)
    }
    #expect(rig.crossings.map(\.kind) == [.score])
  }
}
