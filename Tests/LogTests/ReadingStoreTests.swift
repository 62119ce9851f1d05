import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// B-R.D2, B-R.D3: a person's history, whatever its size and wherever it is stored.
@Suite(.timeLimit(.minutes(5))) struct ReadingPageTests {
  /// All pages one after the other.
  private func pages(
    _ store: ReadingStore, _ metrics: [MetricID], _ time: Range<Microseconds>, newestFirst: Bool, limit: Int
  ) async throws -> [Reading] {
    var got: [Reading] = []
    var place: ReadingPlace?
    repeat {
      let page = try await store.page(
        of: 1, metrics: metrics, in: time, newestFirst: newestFirst, after: place, limit: limit)
      #expect(page.readings.count <= limit && (page.next == nil || page.readings.count == limit))
      got += page.readings.flatMap { Reading.all(of: $0) }
      place = page.next
    } while place != nil
    return got
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func pagesAreTheHistoryInEitherOrder(seed: UInt64) async throws {
    try await withStorage { rig in
      var generator = Seeded(seed)
      var all: [Reading] = []
      // Hours that are read as a whole, and in pieces of a few readings.
      let stores = [rig.storage.store, rig.store(pieceReadings: 5)]
      for round in 0..<4 {
        let batch = ReadingColumns.random(&generator, count: 30...60, persons: 2, hours: round == 0 ? 100 : 2)
        try await rig.commit([batch])
        all += Reading.all(of: batch, at: rig.tail.head)
        if round == 1 { try await rig.compact() }
        if round == 2 { try await rig.storage.compactor.compactEverything() }
        let known = Reading.latest(all).values.filter { $0.key.person == 1 }
        for newestFirst in [false, true] {
          let metrics = Bool.random(using: &generator) ? Metrics.all : [Metrics.ecg, Metrics.oxygen]
          let from = Int64.random(in: -9...0, using: &generator) * 1_000_000_000
          let time = Bool.random(using: &generator) ? from..<from + 9_000_000_000 : Microseconds.min..<(.max)
          let wanted = known.filter { metrics.contains($0.key.metric) && time.contains($0.key.time) }
            .history(newestFirst: newestFirst).map(\.unplaced)
          let limit = [1, 7, 1_000].randomElement(using: &generator)!
          for store in stores {
            #expect(try await pages(store, metrics, time, newestFirst: newestFirst, limit: limit) == wanted)
          }
        }
        #expect(try rig.viewed(person: 1) == known.history())
      }
    }
  }

  @Test func aHistoryOfMoreChunksThanAreLookedAtTogetherIsComplete() async throws {
    try await withStorage { rig in
      // One reading in each of 2,300 hours of one metric, and now and then one of another.
      var columns = ReadingColumns()
      for hour in -1_000..<1_300 {
        let time = Int64(hour) * PersonHistory.hour + 5
        columns.add(1, Metrics.heartRate, 0, time, Double(hour))
        if hour % 400 == 0 { columns.add(1, Metrics.oxygen, 0, time, 50) }
      }
      try await rig.commit([columns])
      try await rig.compact()
      let all = Reading.all(of: columns)
      for newestFirst in [false, true] {
        let got = try await pages(
          rig.storage.store, Metrics.all, .min..<(.max), newestFirst: newestFirst, limit: 500)
        #expect(got == all.history(newestFirst: newestFirst))
      }
      let hours = try await rig.storage.store.summaries(
        of: 1, metric: Metrics.heartRate, in: -4_000 * PersonHistory.hour..<4_000 * PersonHistory.hour, by: .hour,
        limit: 5_000)
      #expect(hours.last == (-1_000..<1_300).map(Double.init))
    }
  }

  @Test func aPageOfLargeWaveformsEndsBeforeItOutgrowsAMessage() async throws {
    try await withStorage { rig in
      var columns = ReadingColumns()
      for index in 0..<12 { columns.addWaveform(1, 0, Int64(index), Array(repeating: Double(index), count: 50_000)) }
      try await rig.commit([columns])
      for isCompacted in [false, true] {
        if isCompacted { try await rig.compact() }
        var times: [Microseconds] = []
        var place: ReadingPlace?
        var count = 0
        repeat {
          let page = try await rig.storage.store.page(
            of: 1, metrics: Metrics.all, in: .min..<(.max), newestFirst: false, after: place, limit: 1_000)
          #expect(page.readings.reduce(0) { $0 + $1.approximateBytes } < 3 << 20)
          times += page.readings.map { $0.waveforms.time[0] }
          place = page.next
          count += 1
        } while place != nil
        #expect(times == Array(0..<12))
        #expect(count > 1)
      }
    }
  }

  @Test func theEndsOfTheIntervalAreIncludedAndNotIncluded() async throws {
    try await withStorage { rig in
      let hour = PersonHistory.hour
      try await rig.commit([.scalars([(-hour - 1, 1), (-hour, 2), (-1, 3), (0, 4), (hour - 1, 5), (hour, 6)])])
      for isCompacted in [false, true] {
        if isCompacted { try await rig.compact() }
        let got = try await pages(rig.storage.store, Metrics.all, -hour..<hour, newestFirst: false, limit: 2)
        #expect(got.map(\.value) == [2, 3, 4, 5])
      }
    }
  }

  @Test func aPlaceAtTheEndsOfTimeIsNoFault() async throws {
    try await withStorage { rig in
      try await rig.commit([.scalars([(1, 1)])])
      for newestFirst in [false, true] {
        for time in [Microseconds.min, .max] {
          let page = try await rig.storage.store.page(
            of: 1, metrics: Metrics.all, in: 0..<10, newestFirst: newestFirst,
            after: ReadingPlace(time: time, metric: .max, source: .max), limit: 10)
          #expect(page.readings.count == ((time == .max) == newestFirst ? 1 : 0))
        }
      }
    }
  }

  /// B-R.D2: the current status.
  @Test(arguments: [5, 6] as [UInt64]) func theCurrentStatusIsTheNewestOfEachMetric(seed: UInt64) async throws {
    try await withStorage { rig in
      var generator = Seeded(seed)
      var all: [Reading] = []
      for round in 0..<6 {
        let batch = ReadingColumns.random(&generator, count: 10...40, persons: 2, hours: 50)
        try await rig.commit([batch])
        all += Reading.all(of: batch, at: rig.tail.head)
        if round % 2 == 1 { try await rig.compact(readings: 60) }
        if round == 4 { try await rig.storage.compactor.compactEverything() }
        let known = Reading.latest(all).values.filter { $0.key.person == 1 }
        let wanted = Dictionary(grouping: known, by: \.key.metric).values.map { readings in
          readings.max { ($0.key.time, $0.key.source) < ($1.key.time, $1.key.source) }!.unplaced
        }
        let status = try await rig.storage.store.currentStatus(of: 1, metrics: Metrics.all)
        #expect(Set(Reading.all(of: status)) == Set(wanted))
        #expect(status.count == wanted.count)
      }
      #expect(try await rig.storage.store.currentStatus(of: 99, metrics: Metrics.all).isEmpty)
      #expect(try await rig.storage.store.currentStatus(of: 1, metrics: []).isEmpty)
    }
  }
}

/// B-R.D3: summaries for charts.
@Suite(.timeLimit(.minutes(5))) struct SummaryTests {
  private static let hour: Microseconds = 3_600_000_000

  /// The plain way: a dictionary from a bucket's start to its readings in the order of time and source.
  private func naive(_ readings: [Reading], start: (Microseconds) -> Microseconds) -> [Microseconds: [Double]] {
    readings.history().reduce(into: [:]) { $0[start($1.key.time), default: []].append($1.value) }
  }

  private func check(_ got: SummaryColumns, _ wanted: [Microseconds: [Double]]) {
    #expect(got.start == wanted.keys.sorted())
    for (index, start) in got.start.enumerated() {
      guard let values = wanted[start] else { continue }
      #expect(got.count[index] == Int64(values.count))
      #expect(got.min[index] == values.min())
      #expect(got.max[index] == values.max())
      #expect(got.last[index] == values.last)
      #expect(abs(got.mean[index] - values.reduce(0, +) / Double(values.count)) < 1e-9)
    }
  }

  @Test(arguments: [1, 2] as [UInt64]) func eachResolutionIsThePlainSummary(seed: UInt64) async throws {
    try await withStorage { rig in
      var generator = Seeded(seed)
      var all: [Reading] = []
      for round in 0..<5 {
        var batch = ReadingColumns()
        for _ in 0..<300 {
          let time = Int64.random(in: -40_000...40_000, using: &generator) * 100_000
          batch.add(
            1, 1, SourceID.random(in: 0...1, using: &generator), time, Double.random(in: 0...200, using: &generator))
        }
        try await rig.commit([batch])
        all += Reading.all(of: batch, at: rig.tail.head)
        if round == 1 { try await rig.compact() }
        if round == 3 { try await rig.storage.compactor.compactEverything() }
        let time = -3_000_000_123..<3_500_000_000 as Range<Microseconds>
        let known = Reading.latest(all).values.filter { time.contains($0.key.time) }
        for (buckets, width) in [(SummaryBuckets.second, 1), (.minute, 60), (.hour, 3_600)] as [(SummaryBuckets, Int64)]
        {
          let got = try await rig.storage.store.summaries(of: 1, metric: 1, in: time, by: buckets, limit: 20_000)
          let wanted = naive(known) { time in
            Int64((Double(time) / Double(width * 1_000_000)).rounded(.down)) * width * 1_000_000
          }
          check(got, wanted)
        }
      }
    }
  }

  @Test func summariesStopOneAfterTheLimitAndAreComplete() async throws {
    try await withStorage { rig in
      // An hour with 3,600 readings and 99 more hours.
      try await rig.commit([.scalars((0..<3_600).map { ($0 * 1_000_000, 1) })])
      try await rig.commit([.scalars((1..<100).map { (Int64($0) * Self.hour, Double($0)) })])
      try await rig.compact()
      let got = try await rig.storage.store.summaries(of: 1, metric: 1, in: 0..<1_000 * Self.hour, by: .hour, limit: 10)
      #expect(got.start.count > 10)
      let wanted: [Int64] = [3_600, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
      #expect(Array(got.count.prefix(11)) == wanted)
    }
  }

  /// Days and weeks of Rome around both changes of the clock in 2024: 23 and 25 hours long.
  @Test func aHistoryFoldsInTheOrderOfTimeAndEndsWhenToldTo() async throws {
    try await withStorage { rig in
      let times = (0..<2_000).map { Int64($0) * Self.hour / 100 }
      let half = times.count / 2
      for part in [Array(times[half...]), Array(times[..<half])] {
        try await rig.commit([.scalars(part.map { ($0, 1) })])
        if part[0] > 0 { try await rig.compact() }
      }
      let all = 0..<20 * Self.hour
      let store = rig.storage.store
      let seen = try await store.fold(of: 1, metrics: [1], in: all, readings: 150, into: [Microseconds]()) {
        seen, columns in
        #expect(columns.count <= 300)
        seen += columns.scalars.time
        return true
      }
      #expect(seen == times)
      let parts = try await store.fold(of: 1, metrics: [1], in: all, readings: 150, into: 0) { parts, _ in
        parts += 1
        return parts < 3
      }
      #expect(parts == 3)
      #expect(
        try await store.fold(of: 2, metrics: [1], in: all, readings: 9, into: 0) {
          $0 += $1.count; return true
        } == 0)
    }
  }

  @Test func daysAndWeeksFollowTheClockOfTheZone() async throws {
    try await withStorage { rig in
      // Every half hour from 2024-03-25 to 2024-04-02, and around 2024-10-27.
      let spring: Microseconds = 1_711_324_800_000_000
      let autumn: Microseconds = 1_729_814_400_000_000
      let times = (0..<400).map { spring + $0 * Self.hour / 2 } + (0..<250).map { autumn + $0 * Self.hour / 2 }
      try await rig.commit([.scalars(times.map { ($0, 1) })])
      let store = rig.storage.store
      func counts(_ unit: CalendarUnit, _ zone: String, _ time: Range<Microseconds>) async throws -> [Int64: Int64] {
        let boundaries = try #require(try await store.boundaries(unit, in: zone, covering: time))
        #expect(boundaries == boundaries.sorted())
        let got = try await store.summaries(of: 1, metric: 1, in: time, by: .boundaries(boundaries), limit: 1_000)
        return Dictionary(uniqueKeysWithValues: zip(got.start, got.count))
      }
      // 2024-03-31 begins at 2024-03-30T23:00Z and has 23 hours.
      let march = try await counts(.day, "Europe/Rome", spring..<spring + 200 * Self.hour)
      let lastSunday = spring + (5 * 24 + 23) * Self.hour
      #expect(march[lastSunday] == 46)
      #expect(march[lastSunday + 23 * Self.hour] == 48)
      #expect(march[lastSunday - 24 * Self.hour] == 48)
      // 2024-10-27 begins at 2024-10-26T22:00Z and has 25 hours.
      let october = try await counts(.day, "Europe/Rome", autumn..<autumn + 125 * Self.hour)
      #expect(october[autumn + 46 * Self.hour] == 50)
      // The week of Monday 2024-03-25 begins at 2024-03-24T23:00Z; its first hour is not asked for.
      let weeks = try await counts(.week, "Europe/Rome", spring..<spring + 200 * Self.hour)
      let halfHours: Int64 = 2 * (7 * 24 - 1 - 1)
      #expect(weeks[spring - Self.hour] == halfHours)
      let utc = try await counts(.day, "UTC", spring..<spring + 200 * Self.hour)
      #expect(utc[spring] == 48)
      #expect(try await store.boundaries(.day, in: "Mars/Olympus", covering: 0..<1) == nil)
      #expect(try await store.boundaries(.day, in: "'; DROP TABLE metric; --", covering: 0..<1) == nil)
    }
  }

  /// A day that a zone has left out, and midnights that do not exist.
  @Test(arguments: ["Pacific/Apia", "America/Sao_Paulo", "Asia/Beirut", "Africa/Cairo", "Asia/Kathmandu"])
  func boundariesCoverTheIntervalInEveryZone(zone: String) async throws {
    try await withStorage { rig in
      let day = 24 * Self.hour
      let time = (15_200 * day)..<(15_400 * day)
      for unit in [CalendarUnit.day, .week] {
        let boundaries = try #require(try await rig.storage.store.boundaries(unit, in: zone, covering: time))
        #expect(boundaries[0] <= time.lowerBound && boundaries.last! >= time.upperBound)
        #expect(zip(boundaries, boundaries.dropFirst()).allSatisfy { $0 <= $1 })
      }
      let edge = try #require(try await rig.storage.store.boundaries(.day, in: zone, covering: 0..<1))
      for boundary in edge {
        let around = boundary - 1..<boundary
        let covering = try #require(try await rig.storage.store.boundaries(.day, in: zone, covering: around))
        #expect(covering[0] <= around.lowerBound && covering.last! >= around.upperBound)
      }
    }
  }
}
