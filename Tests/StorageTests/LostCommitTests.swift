import Domain
import Postgres
import Testing

@testable import Storage

/// What becomes of a commit whose connection is lost: it is stored exactly once, and those who come after know.
@Suite(.timeLimit(.minutes(5))) struct LostCommitTests {
  @Test func connectionsThatDieInMidCommitLoseAndDoubleNothing() async throws {
    try await withStorage { rig in
      let clients = 4
      let batches = 120
      let owners = (0..<clients).map { _ in Owner() }
      let kills = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          // Kills the writer's session after each commit that is heard of, wherever it is then, until all is done.
          let connection = try rig.connection()
          var seen = -1
          try await eventually(within: .seconds(50)) {
            let heard = owners.reduce(0) { $0 + $1.batches }
            guard heard != seen || Int.random(in: 0..<50) == 0 else { return heard == clients * batches }
            seen = heard
            let ended = try connection.query(
              """
              SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND application_name LIKE 'trackme-writer-%'
              """, [])
            kills.add(ended.rowCount)
            return heard == clients * batches
          }
        }
        for (index, owner) in owners.enumerated() {
          group.addTask {
            let session = try await rig.writer.openSession(name: "client \(index)", owner: owner)
            for value in 1...batches {
              let columns = ReadingColumns.scalars(
                person: PersonID(index + 1), [(Int64(value), Double(value)), (Int64(value) + 1_000_000, 1)])
              // Waiting now and then makes many groups, and gives each its danger.
              if value % 5 == 0 { try await eventually(within: .seconds(50)) { owner.batches == value - 1 } }
              try await eventually(within: .seconds(50)) { kills.value >= value / 10 }
              #expect(try await push(columns, UInt64(value), session, rig.writer) == .queued)
            }
          }
        }
        try await group.waitForAll()
      }
      let readings = try rig.stored()
      #expect(readings.count == clients * batches * 2)
      for (index, owner) in owners.enumerated() {
        let own = readings.filter { $0.key.person == PersonID(index + 1) && $0.key.time < 1_000_000 }
        let ordered = own.sorted { $0.key.time < $1.key.time }
        #expect(ordered.map(\.key.time) == (1...Int64(batches)).map { $0 })
        #expect(ordered.map(\.position) == owner.positions)
      }
      #expect(rig.tail.head == Set(readings.map(\.position)).count)
    }
  }

  @Test func aSecondTryFindsTheCommitOfTheFirst() async throws {
    try await withStorage { rig in
      var group = CommitGroup()
      let session = try await rig.writer.openSession(name: "a", owner: Owner())
      let columns = ReadingColumns.scalars([(1, 1)])
      group.append(columns, bytes: columns.approximateBytes, sequence: 1, of: session)
      var transaction = CommitTransaction(database: rig.database)
      let payload = BlockCodec.encode(columns)
      let first = try transaction.commit(group, payloads: [payload], isRetry: false)
      // As if the answer to the first had not come.
      #expect(try transaction.commit(group, payloads: [payload], isRetry: true) == first)
      transaction.close()
      #expect(try transaction.commit(group, payloads: [payload], isRetry: true) == first)
      transaction.close()
      #expect(try rig.stored().count == 1)
    }
  }

  @Test func aWriterThatWasKilledCommitsNothingAfterANewServerHasStarted() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("fence")
    try await withStorage(on: database) { _ in }
    // What a server leaves behind that is killed while PostgreSQL has not begun with its commit.
    let block = try CommitBlock(database)
    let left = try Connection(database)
    try left.query("SELECT set_config('application_name', 'trackme-writer-gone', false)", [])
    let backend = left.backendProcessID
    let commit = Task.detached {
      let connection = UncheckedBox(left)
      return try connection.value.pipeline { pipeline in
        try pipeline.append("SELECT pg_advisory_xact_lock($1)", [.int8(0x7472_6163_6b6d_6501)])
        try pipeline.append(
          "INSERT INTO reading_log (position, commit_id, reading_count, payload) VALUES (1, 1, 1, $1)",
          [.bytea(BlockCodec.encode(.scalars([(1, 1)])))])
      }.count
    }
    let watch = try Connection(database)
    try await eventually {
      try watch.query("SELECT 1 FROM pg_locks WHERE pid = $1 AND NOT granted", [.int4(backend)]).rowCount == 1
    }
    try await withStorage(on: database) { rig in
      block.end()
      await #expect(throws: PostgresError.self) { try await commit.value }
      try await rig.commit([.scalars([(5, 5)])])
      #expect(try rig.stored().map(\.key.time) == [5])
    }
  }

  @Test func aCommitThatWasNotHeardOfIsNotCompactedBeforeItIsFound() async throws {
    try await withStorage { rig in
      try await rig.commit([.scalars([(1, 1)])])
      // A row that this server's writer is still unsure of: committed, and not told.
      let connection = try rig.connection()
      try connection.query(
        "INSERT INTO reading_log (position, commit_id, reading_count, payload) VALUES (2, 77, 1, $1)",
        [.bytea(BlockCodec.encode(.scalars([(2, 2)])))])
      try await rig.storage.compactor.compactEverything()
      #expect(try connection.query("SELECT position FROM reading_log", []).int64(0, 0) == 2)
    }
  }
}

/// Hands a connection to the one task that goes on using it.
private struct UncheckedBox: @unchecked Sendable {
  let value: Connection
  init(_ value: Connection) { self.value = value }
}
