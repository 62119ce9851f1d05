import Domain
import Postgres
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// Whatever is where, in the log or in chunks, merged or not: every answer is the same.
@Suite(.timeLimit(.minutes(5))) struct CompactionTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func chunksHoldWhatTheRowsHeld(seed: UInt64) async throws {
    try await withStorage { rig in
      var generator = Seeded(seed)
      var all: [Reading] = []
      for round in 1...6 {
        let batches = (0..<3).map { _ in ReadingColumns.random(&generator, count: 1...40) }
        let start = rig.tail.head
        try await rig.commit(batches)
        for (index, batch) in batches.enumerated() { all += Reading.all(of: batch, at: start + Int64(index) + 1) }
        if round % 2 == 0 { try await rig.compact(readings: Int.random(in: 1...100, using: &generator)) }
      }
      try await rig.compact()
      let connection = try rig.connection()
      #expect(try connection.query("SELECT 1 FROM reading_log", []).rowCount == 0)
      #expect(try connection.query("SELECT compacted_position FROM log_state", []).int64(0, 0) == 18)
      #expect(Reading.latest(try rig.stored()) == Reading.latest(all))
      #expect(try connection.query("SELECT 1 FROM merge_queue", []).rowCount > 0)

      try await rig.storage.compactor.compactEverything()
      #expect(try connection.query("SELECT 1 FROM merge_queue", []).rowCount == 0)
      // After merging every reading is there once, and a series has one chunk an hour.
      #expect(Set(try rig.stored()) == Set(Reading.latest(all).values))
      let series = try connection.query(
        "SELECT 1 FROM reading_chunk GROUP BY person, metric, hour HAVING count(*) > 1", [])
      #expect(series.rowCount == 0)
    }
  }

  @Test func aPassThatIsRolledBackChangesNothing() async throws {
    try await withStorage { rig in
      var generator = Seeded(7)
      try await rig.commit((0..<4).map { _ in .random(&generator, count: 5...20) })
      let before = Set(try rig.stored())
      struct Crash: Error {}
      let head = rig.tail.head
      await #expect(throws: Crash.self) {
        try await rig.pool.withConnection { connection in
          try connection.inTransaction { connection in
            #expect(try CompactionPass.run(on: connection, head: head, policy: .readings(1_000)).rows == 4)
            throw Crash()
          }
        }
      }
      #expect(Set(try rig.stored()) == before)
      let connection = try rig.connection()
      #expect(try connection.query("SELECT 1 FROM reading_chunk", []).rowCount == 0)
      #expect(try connection.query("SELECT 1 FROM merge_queue", []).rowCount == 0)
      #expect(try connection.query("SELECT compacted_position FROM log_state", []).int64(0, 0) == 0)
      try await rig.compact()
      #expect(Reading.latest(try rig.stored()) == Reading.latest(Array(before)))
    }
  }

  @Test func aPassTakesWholeRowsUpToItsLimit() async throws {
    try await withStorage { rig in
      try await rig.commit((0..<5).map { _ in .scalars((1...10).map { ($0, 1) }) })
      try await rig.compact(readings: 15)
      let connection = try rig.connection()
      #expect(try connection.query("SELECT compacted_position FROM log_state", []).int64(0, 0) == 2)
      #expect(try connection.query("SELECT count(*) FROM reading_log", []).int64(0, 0) == 3)
      #expect(rig.tail.uncompacted().rows.map(\.position) == [3, 4, 5])
    }
  }

  @Test func onePersonsLongHistoryIsDividedOverTheParts() {
    let columns = ReadingColumns.scalars((0..<10_000).map { (Int64($0) * 600_000_000, 1) })
    let parts = (0..<4).map { CompactionPart(number: $0, count: 4).readings(of: columns) }
    #expect(parts.reduce(0) { $0 + $1.count } == 10_000)
    #expect(parts.allSatisfy { (2_000...3_000).contains($0.count) })
    // An hour is in one part.
    let hours = parts.map { Set($0.scalars.time.map { PersonHistory.hour(of: $0) }) }
    #expect(hours.reduce(0) { $0 + $1.count } == hours.reduce(Set()) { $0.union($1) }.count)
  }

  @Test func positionsGoOnAfterTheLogIsEmptyAndAfterARestart() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("positions")
    try await withStorage(on: database) { rig in
      try await rig.commit([.scalars([(1, 1)]), .scalars([(2, 2)])])
      try await rig.compact()
      try await rig.commit([.scalars([(3, 3)])])
      #expect(rig.tail.head == 3)
      try await rig.compact()
    }
    try await withStorage(on: database) { rig in
      #expect(rig.tail.head == 3)
      try await rig.commit([.scalars([(4, 4)])])
      #expect(rig.tail.head == 4)
      #expect(try rig.stored().map(\.position).sorted() == [1, 2, 3, 4])
    }
  }

  /// Readings that come again with another value: in the same batch, over batches, in the tail and in chunks.
  @Test func theLaterValueWinsWhereverItIs() async throws {
    try await withStorage { rig in
      func value() async throws -> [Double] {
        let page = try await rig.storage.store.page(
          of: 1, metrics: Metrics.all, in: .min..<(.max), newestFirst: false, after: nil, limit: 10)
        #expect(page.readings.flatMap { Reading.all(of: $0) } == (try rig.viewed().map(\.unplaced)))
        return page.readings.map { $0.scalars.value[0] }
      }
      try await rig.commit([.scalars([(5, 1), (5, 2)])])
      #expect(try await value() == [2])
      try await rig.commit([.scalars([(5, 3)])])
      #expect(try await value() == [3])
      try await rig.compact(readings: 1)
      #expect(try await value() == [3])
      try await rig.compact()
      #expect(try await value() == [3])
      try await rig.commit([.scalars([(5, 4), (5, 5)])])
      #expect(try await value() == [5])
      try await rig.compact()
      #expect(try await value() == [5])
      try await rig.storage.compactor.compactEverything()
      #expect(try await value() == [5])
      #expect(try rig.stored().count == 1)
      // A late reading, into an hour that was merged before, and another source at the same time.
      try await rig.commit([.scalars([(5, 6)]), .scalars(source: 1, [(5, 7)])])
      #expect(try await value() == [6, 7])
      try await rig.storage.compactor.compactEverything()
      #expect(try await value() == [6, 7])
    }
  }

  @Test(arguments: [11, 12] as [UInt64]) func answersAreCompleteWhileTheCompactorRuns(seed: UInt64) async throws {
    try await withStorage { rig in
      let isOver = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          while isOver.value == 0 {
            try await rig.compact(readings: 20)
            if Bool.random() { try await rig.storage.compactor.compactEverything() }
          }
        }
        group.addTask {
          defer { isOver.add(1) }
          var generator = Seeded(seed)
          var known: [Reading.Key: Reading] = [:]
          for _ in 0..<60 {
            let batch = ReadingColumns.random(&generator, count: 1...15, persons: 2)
            try await rig.commit([batch])
            for (key, reading) in Reading.latest(Reading.all(of: batch)) { known[key] = reading }
            let wanted = known.values.filter { $0.key.person == 1 }.history()
            let page = try await rig.storage.store.page(
              of: 1, metrics: Metrics.all, in: .min..<(.max), newestFirst: false, after: nil, limit: 10_000)
            #expect(page.readings.flatMap { Reading.all(of: $0) } == wanted)
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func underASteadyTrickleCompactionEnds() async throws {
    try await withStorage { rig in
      try await rig.commit([.scalars([(1, 1)])])
      let isOver = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          let owner = Owner()
          let session = try await rig.writer.openSession(name: nil, owner: owner)
          var count = 0
          while isOver.value == 0 {
            count += 1
            try await push(.scalars([(Int64(count), 2)]), 0, session, rig.writer)
            let expected = count
            try await eventually { owner.batches == expected }
          }
        }
        group.addTask {
          for _ in 0..<5 { try await rig.storage.compactor.compactEverything() }
          isOver.add(1)
        }
        try await group.waitForAll()
      }
    }
  }
}

/// Hours that are over.
@Suite(.timeLimit(.minutes(5))) struct HourMergeTests {
  @Test func anHourOfMoreReadingsThanAChunkTakesIsMergedOnce() async throws {
    try await withStorage { rig in
      // 20,000 readings of one hour in five passes.
      for part in 0..<5 {
        try await rig.commit([.scalars((0..<4_000).map { (Int64($0 * 5 + part) * 1_000, Double($0)) })])
        try await rig.compact()
      }
      try await rig.storage.compactor.compactEverything()
      let connection = try rig.connection()
      let counts = try connection.query("SELECT reading_count FROM reading_chunk ORDER BY 1", [])
      #expect(try (0..<counts.rowCount).map { try counts.int32($0, 0) } == [3_616, 16_384])
      let before = try connection.query("SELECT ctid::text FROM reading_chunk ORDER BY 1", []).string(0, 0)
      // Another reading of another person queues the hour again; what can't become fewer is left alone.
      try await rig.commit([.scalars(person: 2, [(1, 1)])])
      try await rig.storage.compactor.compactEverything()
      #expect(try connection.query("SELECT ctid::text FROM reading_chunk ORDER BY 1", []).string(0, 0) == before)
    }
  }

  /// Each of these waveforms fills a chunk and takes a few bytes: no merge makes fewer chunks of them.
  @Test func mergingEndsWhereNothingCanBecomeFewer() async throws {
    try await withStorage { rig in
      for part in 0..<3 {
        var columns = ReadingColumns()
        for person in 1...3 as ClosedRange<PersonID> {
          columns.addWaveform(person, 0, Int64(part), Array(repeating: 0, count: 50_000))
        }
        try await rig.commit([columns])
        try await rig.compact()
      }
      try await rig.storage.compactor.compactEverything()
      #expect(try rig.stored().count == 9)
      let connection = try rig.connection()
      #expect(try connection.query("SELECT 1 FROM merge_queue", []).rowCount == 0)
      #expect(try connection.query("SELECT 1 FROM reading_chunk", []).rowCount == 9)
    }
  }

  @Test func manySeriesAreMergedInSeveralSteps() async throws {
    try await withStorage { rig in
      for part in 0..<2 {
        var columns = ReadingColumns()
        for person in 1...2_500 as ClosedRange<PersonID> { columns.add(person, 1, 0, Int64(part), Double(part)) }
        try await rig.commit([columns])
        try await rig.compact()
      }
      let connection = try rig.connection()
      #expect(try connection.query("SELECT count(*) FROM reading_chunk", []).int64(0, 0) == 5_000)
      try await rig.storage.compactor.compactEverything()
      #expect(try connection.query("SELECT count(*) FROM reading_chunk", []).int64(0, 0) == 2_500)
      #expect(try connection.query("SELECT sum(reading_count) FROM reading_chunk", []).int64(0, 0) == 5_000)
      #expect(try connection.query("SELECT 1 FROM merge_queue", []).rowCount == 0)
    }
  }

  private static let hour: Microseconds = 3_600_000_000

  @Test("A long history that comes at once queues nothing to be merged; what comes later for it queues its own hours")
  func historyNeedsNoMerge() async throws {
    try await withStorage { rig in
      try await rig.commit([.scalars((0..<3_000).map { (Int64($0) * Self.hour, 60) })])
      try await rig.compact()
      let connection = try rig.connection()
      #expect(try connection.query("SELECT count(*) FROM reading_chunk").int64(0, 0) == 3_000)
      #expect(try connection.query("SELECT count(*) FROM merge_queue").int64(0, 0) == 0)
      // Of another person nothing was there; of the same something was.
      try await rig.commit([.scalars(person: 2, (0..<3_000).map { (Int64($0) * Self.hour, 60) })])
      try await rig.commit([.scalars((0..<100).map { (Int64($0 * 30) * Self.hour + 1, 61) })])
      try await rig.compact()
      #expect(try connection.query("SELECT count(*) FROM merge_queue").int64(0, 0) == 100)
      try await rig.storage.compactor.compactEverything()
      #expect(try connection.query("SELECT count(*) FROM merge_queue").int64(0, 0) == 0)
      #expect(try connection.query("SELECT count(*) FROM reading_chunk").int64(0, 0) == 6_000)
      #expect(try connection.query("SELECT sum(reading_count) FROM reading_chunk").int64(0, 0) == 6_100)
    }
  }

  @Test("Where everybody else has few chunks, a pass over one person's long history asks for each hour by its index")
  func aLongHistoryCostsNoSquare() async throws {
    try await withStorage { rig in
      var others = ReadingColumns()
      for person in 1...3_000 as ClosedRange<PersonID> { others.add(person, 1, 0, 0, 60) }
      try await rig.commit([others])
      try await rig.compact()
      let connection = try rig.connection()
      _ = try connection.execute("VACUUM ANALYZE reading_chunk")
      // Each pass looks for hours of a person who has more chunks each time.
      for start in stride(from: 1, through: 3_001, by: 1_000) {
        try await rig.commit([
          .scalars(person: 5_000, (start..<start + 1_000).map { (Int64($0) * Self.hour, 60) })
        ])
        let head = rig.tail.head
        try connection.inTransaction { connection in
          _ = try CompactionPass.run(on: connection, head: head, policy: .readings(1 << 40))
          let read = try connection.query(
            "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'reading_chunk'")
          #expect(try read.int64(0, 0) < 10_000)
        }
        rig.tail.compacted(through: head)
      }
    }
  }

  @Test("A pass over a long history goes once through the hours that wait to be merged, however many they are")
  func aLongQueueIsReadOnce() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      _ = try connection.execute("INSERT INTO merge_queue (hour) SELECT generate_series(1, 300000)")
      _ = try connection.execute("VACUUM ANALYZE merge_queue")
      try await rig.commit([.scalars((0..<8_000).map { (Int64(310_000 + $0) * Self.hour, 60) })])
      let head = rig.tail.head
      let elapsed = try ContinuousClock().measure {
        try connection.inTransaction { connection in
          _ = try CompactionPass.run(on: connection, head: head, policy: .readings(1 << 40))
        }
      }
      // Once is a fraction of a second; once for each hour, minutes.
      #expect(elapsed < .seconds(40))
      rig.tail.compacted(through: head)
      #expect(try connection.query("SELECT count(*) FROM reading_chunk").int64(0, 0) == 8_000)
      #expect(try connection.query("SELECT count(*) FROM merge_queue").int64(0, 0) == 300_000)
    }
  }

  @Test("However many old hours wait to be merged, each turn compacts what is new; the newest hours are merged first")
  func mergingHasABudget() async throws {
    try await withStorage { rig in
      for part in 0..<2 {
        try await rig.commit([.scalars((0..<100).map { (Int64($0) * Self.hour + Int64(part), 60) })])
        try await rig.compact()
      }
      var policy = Compactor.Policy()
      policy.quiet = .zero
      policy.mergeSteps = 8
      let compactor = Compactor(
        pool: rig.pool, tail: rig.tail, sources: rig.storage.sources, policy: policy, logger: quiet)
      var merging = Compactor.Merging()
      let connection = try rig.connection()
      for turn in 1...5 {
        try await rig.commit([.scalars(person: 2, [(Int64(turn), 60)])])
        try await compactor.turn(isDue: true, &merging)
        #expect(try connection.query("SELECT count(*) FROM reading_log").int64(0, 0) == 0)
        // An hour takes two steps: one merges its series, one finds no more of them.
        let queued = try connection.query("SELECT count(*), max(hour) FROM merge_queue")
        #expect(try queued.int64(0, 0) == Int64(100 - 4 * turn))
        #expect(try queued.int32(0, 1) == Int32(99 - 4 * turn))
      }
      // What is left goes on where nothing is due.
      while merging.isUnderWay { try await compactor.turn(isDue: false, &merging) }
      #expect(try connection.query("SELECT count(*) FROM merge_queue").int64(0, 0) == 0)
      #expect(try connection.query("SELECT count(*) FROM reading_chunk").int64(0, 0) == 101)
      #expect(try rig.stored().count == 205)
    }
  }

  @Test func anHourThatIsNotOverIsLeftAsItIs() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      let now = try connection.query("SELECT (extract(epoch FROM now()) * 1000000)::bigint", []).int64(0, 0)
      for part in 0..<3 {
        try await rig.commit([.scalars([(now + Int64(part), 1)])])
        try await rig.compact()
      }
      try await rig.storage.compactor.compactEverything()
      #expect(try connection.query("SELECT count(*) FROM reading_chunk", []).int64(0, 0) == 3)
      #expect(try connection.query("SELECT count(*) FROM merge_queue", []).int64(0, 0) >= 1)
    }
  }
}

extension Rig {
  /// What the view for psql users shows, in the order of a history.
  func viewed(person: PersonID? = nil) throws -> [Reading] {
    let rows = try connection().query(
      """
      SELECT person, metric, source, time_us, log_position, value, latitude, longitude, altitude, accuracy, speed,
        course, rate_hz, samples, metric_name, time = timestamptz 'epoch' + time_us * interval '1 microsecond'
      FROM reading WHERE person = $1 OR $1 IS NULL
      """, [person.map { .int8($0) } ?? .null(TypeOID.int8)])
    return try (0..<rows.rowCount).map { row in
      let key = Reading.Key(
        person: try rows.int64(row, 0), metric: try rows.int32(row, 1), source: try rows.int32(row, 2),
        time: try rows.int64(row, 3))
      #expect(try rows.bool(row, 15))
      var values: [Double]
      switch key.metric {
      case Metrics.position: values = try (6...11).map { rows.isNull(row, $0) ? .nan : try rows.double(row, $0) }
      case Metrics.ecg: values = [try rows.double(row, 12)] + (try rows.doubleArray(row, 13))
      default: values = [try rows.double(row, 5)]
      }
      return Reading(key, values, at: try rows.int64(row, 4))
    }.history()
  }
}
