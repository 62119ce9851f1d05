import Glibc
import Postgres
import Synchronization
import Testing
import Threads

/// Commits that wait for a synchronous standby: an answer is success only if the standby has it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StandbyTests {
  /// A database with a table `t (x int)`, and a standby that is away.
  private func withoutStandby(_ body: (TemporaryCluster) async throws -> Void) async throws {
    let cluster = try TemporaryCluster()
    try Connection(cluster.configuration).execute("CREATE TABLE t (x int)")
    try cluster.loseStandby()
    try await body(cluster)
    try cluster.regainStandby()
  }

  private static func insertInTransaction(_ connection: Connection) throws {
    try connection.inTransaction { _ = try $0.execute("INSERT INTO t VALUES (0)") }
  }

  private static func commitWaits(_ cluster: TemporaryCluster) async throws {
    let isSo = try await eventually { try cluster.sessionsAwaitingStandby().count == 1 }
    #expect(isSo)
  }

  /// Breaks off the wait of the one commit that waits, once there is one.
  private func breakOff(_ cluster: TemporaryCluster) async throws {
    try await Self.commitWaits(cluster)
    try cluster.breakOffWait(of: #require(try cluster.sessionsAwaitingStandby().first))
  }

  /// How a commit ends whose wait is broken off.
  private func endOfBrokenWait(
    _ cluster: TemporaryCluster, _ commit: @escaping @Sendable (Connection) throws -> Void
  ) async throws -> PostgresError? {
    let configuration = cluster.configuration
    let task = Task.detached { () -> PostgresError? in postgresError { try commit(Connection(configuration)) } }
    try await breakOff(cluster)
    return await task.value
  }

  @Test func aWaitThatIsBrokenOffIsAnUnknownOutcomeHoweverItWasCommitted() async throws {
    try await withoutStandby { cluster in
      let commits: [@Sendable (Connection) throws -> Void] = [
        { try $0.execute("INSERT INTO t VALUES (1)") },
        { try $0.query("INSERT INTO t VALUES ($1)", [.int4(2)]) },
        {
          try $0.prepare(name: "insert", sql: "INSERT INTO t VALUES ($1)")
          try $0.queryPrepared("insert", [.int4(3)])
        },
        { try Self.insertInTransaction($0) },
        { connection in _ = try connection.pipeline { try $0.append("INSERT INTO t VALUES (5)") } },
        { connection in
          try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
            try writer.row(fields: 1)
            try writer.int32(6)
          }
        },
        { try $0.awaitStandbys() },
      ]
      for (index, commit) in commits.enumerated() {
        let error = try await endOfBrokenWait(cluster, commit)
        #expect(error?.kind == .unknownOutcome && error?.isConnectionLost == false, "\(index + 1)")
        #expect(error?.isRetriable == true)
      }
      // All of them are there to be seen.
      #expect(try Connection(cluster.configuration).query("SELECT count(*) FROM t").int64(0, 0) == 6)
    }
  }

  @Test func aSessionThatIsEndedWhileItWaitsIsAnUnknownOutcome() async throws {
    try await withoutStandby { cluster in
      let configuration = cluster.configuration
      let task = Task.detached { () -> PostgresError? in
        postgresError { try Self.insertInTransaction(Connection(configuration)) }
      }
      try await Self.commitWaits(cluster)
      try Connection(configuration).execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
      let error = await task.value
      #expect(error?.kind == .unknownOutcome && error?.isConnectionLost == true)
    }
  }

  @Test func aConnectionThatIsLostBeforeTheCommitIsNoUnknownOutcome() throws {
    let connection = try freshConnection()
    let error = postgresError {
      try connection.inTransaction { _ = try $0.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
    }
    #expect(error?.kind == .connection && error?.isConnectionLost == true)
  }

  @Test func aStatementTimeoutDoesNotBreakOffACommitsWait() async throws {
    try await withoutStandby { cluster in
      let configuration = cluster.configuration
      let task = Task.detached { () -> String in
        let connection = try Connection(configuration)
        try connection.execute("SET statement_timeout = '100ms'")
        try Self.insertInTransaction(connection)
        return try connection.execute("SHOW statement_timeout").string(0, 0)
      }
      let watch = try Connection(configuration)
      let hasOutlivedIt = """
        SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND clock_timestamp() > query_start + interval '500 ms'
        """
      #expect(try await eventually { try watch.query(hasOutlivedIt).rowCount == 1 })
      try cluster.regainStandby()
      #expect(try await task.value == "100ms")
    }
  }

  @Test func whatTimesOutBeforeItsCommitIsNotCommitted() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int); SET statement_timeout = '20ms'")
    let error = postgresError {
      try connection.inTransaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        _ = try? connection.execute("SELECT pg_sleep(60)")
      }
    }
    // The transaction has failed, whatever became of the error: a COMMIT would answer ROLLBACK, which is no success.
    #expect(error?.sqlState == "25P02")
    #expect(try connection.query("SELECT count(*) FROM t").int64(0, 0) == 0)
  }

  /// Begins a call that commits in a pool and waits for a standby that is away, and looks at how it ends. The sessions of
  /// the pool, and of one beside it, are older than the loss of the standby.
  private func whileACallWaits(
    deadline: Duration? = nil, inTransaction: Bool,
    _ body: (TemporaryCluster, (own: Pool, beside: Pool), Task<Void, any Error>) async throws -> Void
  ) async throws {
    let cluster = try TemporaryCluster()
    try Connection(cluster.configuration).execute("CREATE TABLE t (x int)")
    var configuration = PoolConfiguration(cluster.configuration)
    configuration.connectionCount = 1
    let pool = Pool(configuration)
    let beside = Pool(configuration, beside: pool)
    for each in [pool, beside] { try await each.withConnection { _ in } }
    try cluster.loseStandby()
    let task = Task {
      _ = try await pool.withConnection(deadline: deadline) { connection in
        if inTransaction {
          try Self.insertInTransaction(connection)
        } else {
          try connection.execute("INSERT INTO t VALUES (1)")
        }
      }
    }
    try await Self.commitWaits(cluster)
    try await body(cluster, (pool, beside), task)
    await beside.shutdown()
    await pool.shutdown()
  }

  private func count(_ cluster: TemporaryCluster) throws -> Int64 {
    try Connection(cluster.configuration).query("SELECT count(*) FROM t").int64(0, 0)
  }

  @Test(arguments: [true, false])
  func aCancelledCallLeavesItsCommitWaiting(inTransaction: Bool) async throws {
    try await whileACallWaits(inTransaction: inTransaction) { cluster, _, task in
      let waiting = try cluster.sessionsAwaitingStandby()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      // The session goes on by itself: nobody sees the row before the standby has it.
      #expect(try cluster.sessionsAwaitingStandby() == waiting)
      #expect(try count(cluster) == 0)
      try cluster.regainStandby()
      #expect(try await eventually { try count(cluster) == 1 })
    }
  }

  @Test(arguments: [true, false])
  func aDeadlineThatPassesWhileACommitWaitsIsAnUnknownOutcome(inTransaction: Bool) async throws {
    try await whileACallWaits(deadline: .seconds(2), inTransaction: inTransaction) { cluster, _, task in
      let waiting = try cluster.sessionsAwaitingStandby()
      let error = await #expect(throws: PostgresError.self) { try await task.value }
      #expect(error?.kind == .unknownOutcome)
      #expect(try cluster.sessionsAwaitingStandby() == waiting)
      #expect(try count(cluster) == 0)
      try cluster.regainStandby()
    }
  }

  @Test(arguments: [true, false])
  func whatACommitWithoutAStandbyLeftIsSeenOnlyWhenTheStandbyHasIt(inThePoolBeside: Bool) async throws {
    try await whileACallWaits(inTransaction: true) { cluster, pools, task in
      let pool = inThePoolBeside ? pools.beside : pools.own
      try await breakOff(cluster)
      let error = await #expect(throws: PostgresError.self) { try await task.value }
      #expect(error?.kind == .unknownOutcome)
      #expect(try count(cluster) == 1)
      // To the pool's callers it is as good as not there, until the standby is back.
      let hasAnswer = Atomic(false)
      async let seen = pool.withConnection { connection in
        let count = try connection.query("SELECT count(*) FROM t").int64(0, 0)
        hasAnswer.store(true, ordering: .releasing)
        return count
      }
      try await Self.commitWaits(cluster)
      let isTooEarly = hasAnswer.load(ordering: .acquiring)
      #expect(!isTooEarly)
      try cluster.regainStandby()
      #expect(try await seen == 1)
    }
  }

  @Test func aPoolIsShutDownAlthoughACommitWaitsForAStandby() async throws {
    try await whileACallWaits(inTransaction: true) { cluster, pools, task in
      await pools.own.shutdown(patience: .milliseconds(50))
      let error = await #expect(throws: PostgresError.self) { try await task.value }
      #expect(error?.kind == .unknownOutcome)
      #expect(try cluster.sessionsAwaitingStandby().count == 1)
      try cluster.regainStandby()
    }
  }

  @Test func aPoolThatWaitsForAStandbyCanBeShutDown() async throws {
    try await withoutStandby { cluster in
      let pool = Pool(cluster.configuration)
      let task = Task { try await pool.withConnection { _ in } }
      try await Self.commitWaits(cluster)
      await pool.shutdown()
      await #expect(throws: PostgresError.self) { try await task.value }
    }
  }
}
