import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

private let second: Microseconds = 1_000_000
private let minute: Microseconds = 60_000_000
private let hour: Microseconds = 3_600_000_000

@Suite struct DigestContentTests {
  @Test(
    "A-R12: all digests together hold every reading once, whatever order they came in and whatever was changed",
    arguments: 1...4 as ClosedRange<UInt64>)
  func everyReadingOnce(seed: UInt64) async throws {
    try await withStorage("everyReadingOnce\(seed)") { rig in
      let fixture = try await GrantFixture(rig)
      var generator = Seeded(seed)
      var subscription = try await fixture.subscribe(
        Cadence.allCases.dropFirst().randomElement(using: &generator) ?? .hourly, metrics: [1, 2])
      let start = subscription
      let clock = TestClock()
      let maker = fixture.maker(clock)
      // Each second and source once, from a day before the start to three days after it.
      var times = Array(Set((0..<200).map { _ in Int64.random(in: -86_400...259_200, using: &generator) }))
        .sorted().shuffled(using: &generator)
      for _ in 0..<60 {
        let batch = times.suffix(Int.random(in: 0...15, using: &generator))
        times.removeLast(batch.count)
        for (metric, source) in [(1, 0), (2, 0), (1, 3)] as [(MetricID, SourceID)] where !batch.isEmpty {
          try await fixture.commit(
            batch.map { (GrantFixture.now + $0 * second + Int64.random(in: 0..<second, using: &generator), 60) },
            metric: metric, source: source)
        }
        if Bool.random(using: &generator) { try await rig.compact() }
        clock.now += Int64.random(in: -hour...5 * hour, using: &generator)
        if Int.random(in: 0..<8, using: &generator) == 0 {
          let changed = try await rig.subscriptions.update(
            subscription.id, version: subscription.version, metrics: [1, 2],
            cadence: Cadence.allCases.dropFirst().randomElement(using: &generator) ?? .hourly,
            timeZone: ["UTC", "Asia/Kolkata", "Pacific/Chatham"].randomElement(using: &generator) ?? "UTC",
            at: clock.now)
          subscription = try #require(changed)
        }
        try await fixture.makeAll(maker)
      }
      // To the end of the longest period that can run.
      clock.now = GrantFixture.now + 80 * 24 * hour
      try await rig.compact()
      try await fixture.makeAll(maker)

      let digests = try await fixture.digests(of: start)
      fixture.expectContiguous(digests, from: start.created)
      var shown: [Reading.Key] = []
      for digest in digests { shown += try await fixture.readings(of: digest, maxBytes: 64).map(\.key) }
      let stored = try rig.stored().map(\.key).map { key in
        Reading.Key(
          person: key.person, metric: key.metric, source: key.source, time: Granularity.second.start(of: key.time))
      }
      #expect(shown.count == stored.count && Set(shown) == Set(stored))
    }
  }

  @Test(
    "Minutes are shown once, when they are over, as the mean of what is there by then, of all sources",
    arguments: [1, 2, 3]
  )
  func minuteMeans(seed: UInt64) async throws {
    try await withStorage("minuteMeans\(seed)") { rig in
      let granted = GrantFixture.now - 30 * minute..<GrantFixture.now + 100 * minute + 7 * second
      let fixture = try await GrantFixture(rig, granularity: .minute, time: granted)
      let subscription = try await fixture.subscribe(seed == 1 ? .asProduced : .hourly)
      var generator = Seeded(seed)
      let clock = TestClock()
      let maker = fixture.maker(clock)
      for _ in 0..<60 {
        let values = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
          (
            clock.now + Int64.random(in: -20 * minute...5 * minute, using: &generator),
            Double(Int.random(in: 40...180, using: &generator))
          )
        }
        let source = ([0, 3] as [SourceID]).randomElement(using: &generator) ?? 0
        if !values.isEmpty { try await fixture.commit(values, source: source) }
        if Bool.random(using: &generator) { try await rig.compact() }
        clock.now += Int64.random(in: 0...5 * minute, using: &generator)
        try await fixture.makeAll(maker)
      }
      try await rig.compact()
      clock.now += 3 * hour
      try await fixture.makeAll(maker)

      // The minute in which the grant ends is not shown: a part of it is outside.
      let whole = GrantFixture.now / minute * minute + 100 * minute
      let stored = try rig.stored().filter {
        $0.key.time >= Granularity.minute.start(of: granted.lowerBound) + minute && $0.key.time < whole
      }
      var seen: Set<Microseconds> = []
      for digest in try await fixture.digests(of: subscription) {
        let shown = try await fixture.readings(of: digest)
        let naive = try Self.naive(digest, stored, rig.watermarks())
        #expect(shown.map(\.key.time).sorted() == naive.keys.sorted())
        for reading in shown {
          let mean = try #require(naive[reading.key.time])
          #expect(abs(reading.value - mean) < 1e-9)
          #expect(seen.insert(reading.key.time).inserted, "shown twice")
        }
        #expect(subscription.cadence != .asProduced || !shown.isEmpty)
      }
      #expect(!seen.isEmpty)
    }
  }

  /// What a digest shows by the letter of its rule: the mean by the start of the minute.
  private static func naive(
    _ digest: DigestRecord, _ stored: [Reading], _ watermarks: [Watermark]
  ) -> [Microseconds: Double] {
    var means: [Microseconds: Double] = [:]
    for (start, readings) in Dictionary(grouping: stored, by: { Granularity.minute.start(of: $0.key.time) }) {
      let end = start + minute
      let first = readings.map(\.position).min() ?? .max
      let wasShown = end <= digest.period.lowerBound && first <= digest.after
      guard end <= digest.period.upperBound, first <= digest.through, !wasShown,
        let closing = watermarks.first(where: { $0.time >= end && $0.position >= first })
      else { continue }
      let there = readings.filter { $0.position <= closing.position }
      means[start] = there.reduce(0) { $0 + $1.value } / Double(there.count)
    }
    return means
  }

  @Test(
    "A late reading of a minute that was shown stays out; that of a minute nobody knew of comes with the next digest")
  func lateReadings() async throws {
    try await withStorage { rig in
      let fixture = try await GrantFixture(rig, granularity: .minute)
      let subscription = try await fixture.subscribe(.hourly)
      let clock = TestClock(GrantFixture.now + 2 * hour)
      let maker = fixture.maker(clock)
      let shown = Granularity.minute.start(of: GrantFixture.now + 10 * minute)
      try await fixture.commit([(shown, 60)])
      try await rig.compact()
      #expect(try await fixture.makeAll(maker) == 2)
      try await fixture.commit([(shown + 1, 180), (shown + 5 * minute, 90)])
      try await rig.compact()
      clock.now += hour
      #expect(try await fixture.makeAll(maker) == 1)
      var values: [[Double]] = []
      for digest in try await fixture.digests(of: subscription) {
        values.append(try await fixture.readings(of: digest).map(\.value))
      }
      #expect(values == [[60], [], [90]])
      // The first one is the same again.
      let digests = try await fixture.digests(of: subscription)
      #expect(try await fixture.readings(of: digests[0]).map(\.value) == [60])
    }
  }

  @Test("Only metrics of the subscription and readings taken in the granted interval are shown, of every kind")
  func scope() async throws {
    try await withStorage { rig in
      let granted = GrantFixture.now..<GrantFixture.now + 10 * minute
      let fixture = try await GrantFixture(rig, metrics: [1, 8, 11], time: granted)
      let subscription = try await fixture.subscribe(.daily, metrics: [1, 8, 11])
      var columns = ReadingColumns()
      for time in [granted.lowerBound - 1, granted.lowerBound, granted.upperBound - 1, granted.upperBound] {
        columns.add(fixture.person, 1, 0, time, 60)
        columns.add(fixture.person, 6, 0, time, 97)
        columns.add(fixture.person + 999, 1, 0, time, 61)
        columns.addPosition(fixture.person, 0, time, [45, 9, 100])
        columns.addWaveform(fixture.person, 0, time, [1, 2, 3])
      }
      try await rig.commit([columns])
      try await rig.compact()
      try await fixture.makeAll(fixture.maker(TestClock(GrantFixture.now + 30 * hour)))
      let digests = try await fixture.digests(of: subscription)
      let readings = try await fixture.readings(of: digests[0])
      #expect(readings.count == 6)
      #expect(readings.allSatisfy { granted.lowerBound <= $0.key.time && $0.key.person == fixture.person })
      #expect(Set(readings.map(\.key.metric)) == [1, 8, 11])
    }
  }
}
