import Domain
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

extension Rig {
  /// Reads hours with more readings than these in pieces.
  func store(pieceReadings: Int) -> ReadingStore {
    let door = ReadingStore.Door(pool: storage.pools.heavy, turns: .forQuestions())
    return ReadingStore(heavy: door, brief: door, tail: tail, pieceReadings: pieceReadings)
  }
}

/// An hour with very many readings is read in pieces, and what is said is the same.
@Suite(.timeLimit(.minutes(5))) struct DividedHourTests {
  private static let hour = PersonHistory.hour
  private static let start = 480_000 * hour
  /// The hour with many readings, one before it, one after it.
  private static let all = start - hour..<start + 2 * hour

  /// Three metrics in one hour, in an order of their own, in chunks that overlap and in the log, some of them twice.
  private func fill(_ rig: Rig) async throws -> [Reading] {
    var generator = Seeded(7)
    var all: [Reading] = []
    for round in 0..<4 {
      var batch = ReadingColumns()
      for _ in 0..<500 {
        let time = Self.start + Int64.random(in: 0..<36_000, using: &generator) * 100_000
        let metric = [Metrics.heartRate, Metrics.oxygen].randomElement(using: &generator)!
        batch.add(1, metric, SourceID.random(in: 0...1, using: &generator), time, Double(round))
      }
      for index in 0..<10 {
        batch.addWaveform(1, 0, Self.start + Int64(index) * 300_000_000 + Int64(round), Array(repeating: 1, count: 200))
      }
      batch.add(1, Metrics.heartRate, 0, Self.start - 1, 1)
      batch.add(1, Metrics.heartRate, 0, Self.start + Self.hour, 1)
      try await rig.commit([batch])
      all += Reading.all(of: batch, at: rig.tail.head)
      if round < 3 { try await rig.compact() }
    }
    return Array(Reading.latest(all).values).history().map(\.unplaced)
  }

  @Test func theReadingsOfALongHourComeInPiecesEachOnce() async throws {
    try await withStorage { rig in
      let wanted = try await fill(rig)
      let pieces = try await rig.store(pieceReadings: 100).fold(
        of: 1, metrics: Metrics.all, in: Self.all, readings: 10_000, into: [ReadingColumns]()
      ) { pieces, columns in
        pieces.append(columns)
        return true
      }
      let readings = pieces.map { Reading.all(of: $0).history() }
      #expect(readings.flatMap { $0 } == wanted)
      // Forty samples count as one reading.
      for piece in pieces { #expect(piece.count + piece.waveforms.samples.count / 40 <= 100) }
      #expect(pieces.count > wanted.count / 125)
    }
  }

  @Test func anHourThatIsFullInOneMillisecondIsDividedThere() async throws {
    try await withStorage { rig in
      let times = (0..<3_000).map { Self.start + 1_799_999_000 + Int64($0) / 3 }.shuffled()
      var columns = ReadingColumns()
      for (index, time) in times.enumerated() { columns.add(1, Metrics.heartRate, SourceID(index % 7), time, 60) }
      try await rig.commit([columns])
      try await rig.compact()
      let sizes = try await rig.store(pieceReadings: 100).fold(
        of: 1, metrics: Metrics.all, in: Self.all, readings: 10_000, into: [Int]()
      ) { sizes, columns in
        sizes.append(columns.count)
        return true
      }
      #expect(sizes.reduce(0, +) == Reading.latest(Reading.all(of: columns)).count)
      #expect(sizes.max() ?? 0 <= 100)
    }
  }

  @Test func summariesAndPagesOfALongHourAreTheSame() async throws {
    try await withStorage { rig in
      let wanted = try await fill(rig)
      let (whole, divided) = (rig.storage.store, rig.store(pieceReadings: 64))
      for buckets in [SummaryBuckets.second, .minute, .hour] {
        func summaries(_ store: ReadingStore) async throws -> SummaryColumns {
          try await store.summaries(of: 1, metric: Metrics.heartRate, in: Self.all, by: buckets, limit: 20_000)
        }
        #expect(try await summaries(divided) == summaries(whole))
      }
      for newestFirst in [false, true] {
        let page = try await divided.page(
          of: 1, metrics: Metrics.all, in: Self.all, newestFirst: newestFirst, after: nil, limit: 150)
        let first = (newestFirst ? wanted.history(newestFirst: true) : wanted).prefix(150)
        #expect(page.readings.flatMap { Reading.all(of: $0) } == Array(first))
      }
    }
  }

  @Test func exportsOfALongHourAreDividedBetweenSecondsAndMinutes() async throws {
    try await withStorage { rig in
      _ = try await fill(rig)
      let head = rig.tail.head
      // In the middle of the hour, of what was committed first, and at its end.
      try rig.connection().query(
        """
        INSERT INTO watermark ("time", position) VALUES (to_timestamp($1 / 1e6), $2), (to_timestamp($3 / 1e6), $4)
        """,
        [
          .float8(Double(Self.start + Self.hour / 2)), .int8(head - 1), .float8(Double(Self.all.upperBound)),
          .int8(head),
        ])
      let (whole, divided) = (rig.storage.store, rig.store(pieceReadings: 64))
      func seconds(_ store: ReadingStore) async throws -> (readings: [Reading], parts: Int) {
        var (rest, found, parts) = (Optional(Self.all), [Reading](), 0)
        while let interval = rest {
          let part = try await store.part(
            of: 1, metrics: Metrics.all, in: interval, through: head, readings: 10_000)
          found += Reading.all(of: part.columns.shown(at: .second))
          (rest, parts) = (part.rest, parts + 1)
        }
        return (found, parts)
      }
      func intervals(_ store: ReadingStore, _ granularity: Granularity) async throws -> (
        readings: [Reading], parts: Int
      ) {
        var (rest, found, parts) = (Optional(Self.all), [Reading](), 0)
        while let interval = rest {
          let part = try await store.shown(
            of: 1, metrics: Metrics.all, at: granularity, in: interval,
            closedBy: Watermark(time: Self.all.upperBound, position: head), readings: 10_000)
          found += Reading.all(of: part.columns)
          (rest, parts) = (part.rest, parts + 1)
        }
        return (found, parts)
      }
      for (one, many) in [
        (try await seconds(whole), try await seconds(divided)),
        (try await intervals(whole, .minute), try await intervals(divided, .minute)),
        (try await intervals(whole, .hour), try await intervals(divided, .hour)),
      ] {
        #expect(!one.readings.isEmpty && Set(one.readings) == Set(many.readings))
        #expect(one.readings.count == many.readings.count)
      }
      #expect(try await seconds(divided).parts > 10)
      #expect(try await intervals(divided, .minute).parts > 10)
      #expect(try await intervals(divided, .hour).parts <= 3)
    }
  }
}
