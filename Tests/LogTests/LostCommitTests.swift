import Domain
import Postgres
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

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

  /// The writer's commits go through a proxy that loses some of them, or their answers.
  private func withLosses(
    _ name: String = #function, _ body: (Rig, AnswerProxy) async throws -> Void
  ) async throws {
    let cluster = try TemporaryCluster.shared()
    let database = try cluster.preparedDatabase(name, StorageSystem.migrate)
    defer { try? cluster.remove(database) }
    let proxy = try AnswerProxy(to: database)
    defer { proxy.close() }
    try await withStorage(on: database, writing: proxy.configuration) { try await body($0, proxy) }
  }

  @Test(arguments: [AnswerProxy.Loss.answer, .commit])
  func aLostCommitAndALostAnswerEndWithTheReadingsThereOnceAtTheAcknowledgedPosition(
    loss: AnswerProxy.Loss
  ) async throws {
    try await withLosses { rig, proxy in
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      for value in 1...6 {
        // Every second one.
        if value.isMultiple(of: 2) { proxy.lose(loss) }
        #expect(try await push(.scalars([(Int64(value), 1)]), UInt64(value), session, rig.writer) == .queued)
        try await eventually { owner.batches == value }
      }
      #expect(proxy.losses == 3)
      #expect(owner.positions == [1, 2, 3, 4, 5, 6])
      let stored = try rig.stored().sorted { $0.position < $1.position }
      #expect(stored.map(\.position) == owner.positions)
      #expect(stored.map(\.key.time) == [1, 2, 3, 4, 5, 6])
      #expect(rig.tail.head == 6)
      // What the client is told when it comes again.
      rig.writer.closeSession(session)
      let next = try await rig.writer.openSession(name: "a", owner: Owner())
      #expect(next.firstSequence == 6 && next.lastPosition == 6)
    }
  }

  @Test func aGroupOfManyRowsAndEntriesIsFoundWholeAfterALostAnswer() async throws {
    try await withLosses { rig, proxy in
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      let block = try CommitBlock(rig.database)
      // One commit is held up, so that the others gather behind it.
      try await push(.scalars([(0, 1)]), 1, session, rig.writer)
      try await eventually { proxy.commits == 1 }
      proxy.lose(.answer)
      let digest = LogEntry(DigestEntry(subscription: 1, request: 1, period: 1..<2))
      let entry = EntryRequest(digest, sql: "SELECT append_log_entry($1, $2)", [])
      let refused = EntryRequest(digest, sql: "SELECT nullif($1 + $2, $1 + $2)", [])
      async let first = rig.writer.append(entry)
      try await eventually { rig.writer.monitor.withLock { $0.open.entries == 1 } }
      async let second = rig.writer.append(refused)
      try await eventually { rig.writer.monitor.withLock { $0.open.entries == 2 } }
      try await push(.scalars([(1, 1), (2, 2)]), 2, session, rig.writer)
      block.end()
      #expect(try await first == 2)
      #expect(try await second == nil)
      try await eventually { owner.batches == 2 }
      #expect(owner.positions == [1, 3])
      #expect(try rig.stored().count == 3)
      #expect(proxy.losses == 1)
    }
  }

  /// Breaks a wait for a synchronous standby off, as an operator can, or ends the session that waits.
  private static func breakOff(_ isEnded: Bool, _ cluster: TemporaryCluster) async throws {
    try await eventually { try cluster.sessionsAwaitingStandby().count == 1 }
    let backend = try cluster.sessionsAwaitingStandby()[0]
    let connection = try Connection(cluster.configuration)
    try connection.query(isEnded ? "SELECT pg_terminate_backend($1)" : "SELECT pg_cancel_backend($1)", [.int4(backend)])
    // It is not the same wait that is seen next.
    try await eventually {
      try connection.query(
        "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'", [.int4(backend)]
      ).rowCount == 0
    }
  }

  @Test(arguments: [true, false])
  func aCommitWithoutTheStandbyIsNotAcknowledgedAlthoughItCanBeSeen(isSessionEnded: Bool) async throws {
    let cluster = try TemporaryCluster()
    try await withStorage(on: cluster.preparedDatabase("standby", StorageSystem.migrate)) { rig in
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      try await push(.scalars([(1, 1)]), 1, session, rig.writer)
      try await eventually { owner.batches == 1 }
      try cluster.loseStandby()
      try await push(.scalars([(2, 2)]), 2, session, rig.writer)
      // The commit itself, and then every look at what has become of it.
      for _ in 0..<3 {
        try await Self.breakOff(isSessionEnded, cluster)
        #expect(try rig.stored().count == 2)
        #expect(owner.batches == 1 && rig.tail.head == 1)
      }
      try cluster.regainStandby()
      try await eventually { owner.batches == 2 }
      #expect(owner.positions == [1, 2])
      #expect(try rig.stored().map(\.position).sorted() == [1, 2])
    }
  }

  @Test func aLogIsClosedAlthoughTheStandbyDoesNotComeBackAndWhatWaitedIsNotAcknowledged() async throws {
    let cluster = try TemporaryCluster()
    let database = try cluster.preparedDatabase("standby", StorageSystem.migrate)
    let owner = Owner()
    try await withStorage(on: database) { rig in
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      try cluster.loseStandby()
      try await push(.scalars([(1, 1)]), 1, session, rig.writer)
      try await eventually { try cluster.sessionsAwaitingStandby().count == 1 }
      let digest = LogEntry(DigestEntry(subscription: 1, request: 1, period: 1..<2))
      let late = Task { try await rig.writer.append(EntryRequest(digest, sql: "SELECT append_log_entry($1, $2)", [])) }
      try await eventually { rig.writer.monitor.withLock { $0.open.entries == 1 } }
      await rig.writer.close(patience: .milliseconds(50))
      #expect(owner.batches == 0)
      // Nobody had begun to commit the entry.
      let error = await #expect(throws: PostgresError.self) { try await late.value }
      #expect(error?.kind == .connection)
    }
    try cluster.regainStandby()
    // PostgreSQL has gone on with the commit: the next server finds it.
    try await withStorage(on: database) { rig in
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      #expect(session.firstSequence == 1)
      #expect(try rig.stored().map(\.position) == [1])
    }
  }

  @Test func anEntryWhoseCommitIsGivenUpHasAnUnknownOutcome() async throws {
    let cluster = try TemporaryCluster()
    try await withStorage(on: cluster.preparedDatabase("standby", StorageSystem.migrate)) { rig in
      try cluster.loseStandby()
      let digest = LogEntry(DigestEntry(subscription: 1, request: 1, period: 1..<2))
      let entry = Task { try await rig.writer.append(EntryRequest(digest, sql: "SELECT append_log_entry($1, $2)", [])) }
      try await eventually { try cluster.sessionsAwaitingStandby().count == 1 }
      await rig.writer.close(patience: .milliseconds(50))
      let error = await #expect(throws: PostgresError.self) { try await entry.value }
      #expect(error?.kind == .unknownOutcome)
      try cluster.regainStandby()
    }
  }

  @Test func aServerThatStartsBelievesWhatItFindsOnlyWhenTheStandbyHasIt() async throws {
    let cluster = try TemporaryCluster()
    let database = try cluster.preparedDatabase("standby", StorageSystem.migrate)
    try await withStorage(on: database) { rig in try await rig.commit([.scalars([(1, 1)])]) }
    let isOpen = Counter()
    try cluster.loseStandby()
    async let opened: Void = withStorage(on: database) { rig in
      isOpen.add(1)
      #expect(rig.tail.head == 1)
    }
    try await eventually { try cluster.sessionsAwaitingStandby().count == 1 }
    #expect(isOpen.value == 0)
    try cluster.regainStandby()
    try await opened
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
