import Domain
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// What a reader who is behind gets, wherever the log's rows are by now.
///
/// The guarantee, for any cursor and filter: the pages one after the other hold the committed readings after the cursor
/// that pass the filter, in the order of the log, each at most once for each commit of it. The newest version of each
/// reading is always among them, at its own position. An older version that a later commit has replaced is there if
/// both are in the log or in chunks that have not been merged yet, and may be left out otherwise.
@Suite(.timeLimit(.minutes(5))) struct CatchUpReaderTests {
  private struct History {
    var all: [Reading] = []

    /// Checks what a reader got after a cursor, as far as the filter goes.
    func check(_ got: [Reading], after cursor: LogPosition, _ filter: ReadingFilter) {
      let wanted = all.filter {
        $0.position > cursor && (filter.persons?.contains($0.key.person) ?? true)
          && (filter.metrics?.contains($0.key.metric) ?? true)
      }
      #expect(got.map(\.position) == got.map(\.position).sorted())
      #expect(Set(got).isSubset(of: Set(wanted)))
      // Twice only if it was committed twice in one row.
      let committed = wanted.reduce(into: [Reading: Int]()) { $0[$1, default: 0] += 1 }
      for (reading, count) in got.reduce(into: [Reading: Int](), { $0[$1, default: 0] += 1 }) {
        #expect(count <= committed[reading] ?? 0)
      }
      #expect(Set(Reading.latest(wanted).values).isSubset(of: Set(got)))
    }
  }

  private func read(
    _ rig: Rig, after cursor: LogPosition, _ filter: ReadingFilter,
    between: () async throws -> Void = {}
  ) async throws -> [Reading] {
    var reader = CatchUpReader(pool: rig.pool, filter: filter)
    var position = cursor
    var got: [Reading] = []
    let head = rig.tail.head
    while position < head {
      let page = try await reader.page(after: position, through: head)
      #expect(page.reached > position && page.reached <= head)
      for row in page.rows {
        #expect(row.position > position && row.position <= page.reached && !row.columns.isEmpty)
        got += Reading.all(of: row.columns, at: row.position)
      }
      position = page.reached
      try await between()
    }
    return got
  }

  private func filters(_ generator: inout Seeded) -> [ReadingFilter] {
    [
      ReadingFilter(persons: nil, metrics: nil),
      ReadingFilter(persons: [PersonID.random(in: 1...4, using: &generator)], metrics: nil),
      ReadingFilter(persons: [1, 3, 99], metrics: nil),
      ReadingFilter(persons: nil, metrics: [Metrics.ecg, Metrics.position]),
      ReadingFilter(persons: [2, 4], metrics: [Metrics.heartRate]),
      ReadingFilter(persons: [99], metrics: nil),
    ]
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func pagesFromAnyCursorAreTheReadingsAfterItInOrder(seed: UInt64) async throws {
    try await withStorage { rig in
      var generator = Seeded(seed)
      var history = History()
      for _ in 0..<5 {
        let batches = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
          ReadingColumns.random(&generator, count: 1...25)
        }
        let start = rig.tail.head
        try await rig.commit(batches)
        for (index, batch) in batches.enumerated() {
          history.all += Reading.all(of: batch, at: start + Int64(index) + 1)
        }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: try await rig.compact(readings: Int.random(in: 1...200, using: &generator))
        case 1: try await rig.compact()
        case 2: try await rig.storage.compactor.compactEverything()
        default: break
        }
        for filter in filters(&generator) {
          let cursor = LogPosition.random(in: 0...rig.tail.head, using: &generator)
          history.check(try await read(rig, after: cursor, filter), after: cursor, filter)
        }
      }
    }
  }

  @Test(arguments: [21, 22] as [UInt64])
  func aReaderLosesNothingWhenRowsAreCompactedBetweenItsPages(seed: UInt64) async throws {
    try await withStorage { rig in
      var generator = Seeded(seed)
      var history = History()
      // Large rows, so that there are many pages: each holds 6,000 readings, which are 188 KiB.
      for position in 1...20 as ClosedRange<LogPosition> {
        let batch = ReadingColumns.scalars(
          person: position % 3 + 1, (0..<6_000).map { (position * 3_000_000 + $0 * 1_000, Double($0)) })
        history.all += Reading.all(of: batch, at: position)
        try await rig.commit([batch])
      }
      for filter in [ReadingFilter(persons: nil, metrics: nil), .init(persons: [2], metrics: [1])] {
        var pages = 0
        let merges = Bool.random(using: &generator)
        let got = try await read(rig, after: 0, filter) {
          pages += 1
          if pages % 3 == 0 { try await rig.compact(readings: 10_000) }
          if merges, pages % 7 == 0 { try await rig.storage.compactor.compactEverything() }
        }
        #expect(pages > 3)
        history.check(got, after: 0, filter)
      }
    }
  }

  @Test func pagesAreBoundedInBytesAlsoWithLargeWaveforms() async throws {
    try await withStorage { rig in
      for position in 0..<12 {
        var columns = ReadingColumns()
        columns.addWaveform(1, 0, Int64(position), Array(repeating: Double(position), count: 40_000))
        try await rig.commit([columns])
      }
      for isCompacted in [false, true] {
        if isCompacted { try await rig.compact() }
        var reader = CatchUpReader(pool: rig.pool, filter: .init(persons: [1], metrics: nil))
        var position: LogPosition = 0
        var count = 0
        while position < rig.tail.head {
          let page = try await reader.page(after: position, through: rig.tail.head)
          #expect(page.rows.reduce(0) { $0 + $1.columns.approximateBytes } <= 1 << 20)
          count += page.rows.count
          position = page.reached
        }
        #expect(count == 12)
      }
    }
  }

  @Test func aFilterThatTheLogHoldsNothingOfReachesTheHeadInFewPages() async throws {
    try await withStorage { rig in
      try await rig.commit((0..<50).map { .scalars([($0, 1)]) })
      try await rig.compact()
      var reader = CatchUpReader(pool: rig.pool, filter: .init(persons: [9], metrics: nil))
      let page = try await reader.page(after: 0, through: rig.tail.head)
      #expect(page.rows.isEmpty && page.reached == 50)
    }
  }

  @Test func aReaderStopsAtTheHeadThatItIsGiven() async throws {
    try await withStorage { rig in
      try await rig.commit((0..<10).map { .scalars([($0, 1)]) })
      for isCompacted in [false, true] {
        if isCompacted { try await rig.compact() }
        var reader = CatchUpReader(pool: rig.pool, filter: .init(persons: nil, metrics: nil))
        let page = try await reader.page(after: 2, through: 6)
        #expect(page.rows.map(\.position) == [3, 4, 5, 6] && page.reached == 6)
        let nothing = try await reader.page(after: 6, through: 6)
        #expect(nothing.rows.isEmpty && nothing.reached == 6)
      }
    }
  }
}
