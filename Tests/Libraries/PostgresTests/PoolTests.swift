import Glibc
@testable import Postgres
import Synchronization
import Testing

@Suite struct PoolTests {
  private func pool(_ change: (inout PoolConfiguration) -> Void = { _ in }) throws -> Pool {
    var configuration = PoolConfiguration(try TemporaryCluster.shared().configuration)
    configuration.connectionCount = 2
    change(&configuration)
    return Pool(configuration)
  }

  @Test func manyCallsShareFewConnections() async throws {
    let pool = try pool()
    let backends = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<200 { group.addTask { try await pool.withConnection { $0.backendProcessID } } }
      return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
    }
    #expect((1...2).contains(backends.count))
    await pool.shutdown()
  }

  @Test func aBodysErrorReachesItsCaller() async throws {
    struct Unwilling: Error {}
    let pool = try pool()
    await #expect(throws: Unwilling.self) { try await pool.withConnection { _ in throw Unwilling() } }
    #expect(try await pool.withConnection { try $0.query("SELECT 1").int64(0, 0) } == 1)
  }

  @Test func aTransactionLeftOpenIsRolledBack() async throws {
    let pool = try pool { $0.connectionCount = 1 }
    try await pool.withConnection { connection in
      try connection.execute("CREATE TEMP TABLE left_open (x int)")
      try connection.execute("BEGIN; INSERT INTO left_open VALUES (1)")
    }
    let (status, count) = try await pool.withConnection { connection in
      (connection.transactionStatus, try connection.query("SELECT count(*) FROM left_open").int64(0, 0))
    }
    #expect(status == .idle && count == 0)
  }

  @Test func aFullQueueRefusesAtOnce() async throws {
    let gate = Gate()
    let pool = try pool {
      $0.connectionCount = 1
      $0.waitingMax = 3
    }
    async let running: Void = pool.withConnection { _ in gate.wait() }
    #expect(try await eventually { gate.waiters == 1 })
    let waiting = (0..<3).map { _ in Task { try await pool.withConnection { _ in } } }
    #expect(try await eventually { pool.waitingCount == 3 })
    let error = await postgresError { try await pool.withConnection { _ in } }
    #expect(error?.kind == .poolExhausted && error?.isRetriable == true)
    // A cancelled call gives up its place.
    waiting[0].cancel()
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    #expect(pool.waitingCount == 2)
    gate.open()
    try await running
    for task in waiting.dropFirst() { try await task.value }
  }

  @Test(.timeLimit(.minutes(5)))
  func cancellingTheTaskStopsTheStatement() async throws {
    let pool = try pool { $0.connectionCount = 1 }
    let started = Gate()
    let task = Task {
      try await pool.withConnection { connection in
        started.open()
        try connection.query("SELECT pg_sleep(600)")
      }
    }
    #expect(try await eventually { started.isOpened })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await pool.withConnection { try $0.query("SELECT 1").int64(0, 0) } == 1)
  }

  @Test func aTaskCancelledBeforehandRunsNothing() async throws {
    let pool = try pool()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await pool.withConnection { _ in Issue.record("ran") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(.timeLimit(.minutes(5)))
  func theDeadlineEndsTheWorkAndTheWait() async throws {
    let pool = try pool { $0.connectionCount = 1 }
    let asleep = await postgresError {
      _ = try await pool.withConnection(deadline: .milliseconds(100)) { try $0.query("SELECT pg_sleep(600)") }
    }
    #expect(asleep?.kind == .timeout)
    // Many short statements: no single one takes too long.
    let busy = await postgresError {
      try await pool.withConnection(deadline: .milliseconds(100)) { connection in
        while true { try connection.query("SELECT pg_sleep(0.005)") }
      }
    }
    #expect(busy?.kind == .timeout)
    let gate = Gate()
    async let running: Void = pool.withConnection { _ in gate.wait() }
    #expect(try await eventually { gate.waiters == 1 })
    let queued = await postgresError { try await pool.withConnection(deadline: .milliseconds(50)) { _ in } }
    #expect(queued?.kind == .timeout)
    gate.open()
    try await running
    let left = try await pool.withConnection { try $0.execute("SHOW statement_timeout").string(0, 0) }
    #expect(left == "0")
    let set = try await pool.withConnection(deadline: .seconds(10)) {
      try $0.execute("SHOW statement_timeout").string(0, 0)
    }
    // Rounded up, so that calls with similar deadlines share a setting.
    #expect(set == "10s" || set == "10240ms")
  }

  @Test(.timeLimit(.minutes(5)))
  func theDeadlineOfTheTaskAndThatOfThePoolEndTheWork() async throws {
    let pool = try pool { $0.connectionCount = 1 }
    let error = await postgresError {
      try await Pool.$deadline.withValue(.now + .milliseconds(100)) {
        _ = try await pool.withConnection(deadline: .seconds(600)) { try $0.query("SELECT pg_sleep(600)") }
      }
    }
    #expect(error?.kind == .timeout)
    let bounded = try self.pool { $0.bodyTimeMax = .milliseconds(100) }
    let late = await postgresError { try await bounded.withConnection { _ = try $0.query("SELECT pg_sleep(600)") } }
    #expect(late?.kind == .timeout)
  }

  /// Else PostgreSQL would go on with a question of a caller who is gone, if this process did not live to stop it.
  @Test func theServerKnowsTheDeadlineOfTheTask() async throws {
    let pool = try pool()
    let set = try await Pool.$deadline.withValue(.now + .seconds(10)) {
      try await pool.withConnection { try $0.execute("SHOW statement_timeout").string(0, 0) }
    }
    #expect(set == "10s" || set == "10240ms")
  }

  /// Else the statement that changes it could be ended by it, and whoever came next would hear that the database is gone.
  @Test func aDeadlineThatIsNearLeavesTimeForTheNextOnesSettings() {
    #expect(PoolWorkers.statementTimeout(until: .now + .milliseconds(8)) == 1_024)
  }

  @Test(.timeLimit(.minutes(5)))
  func workBetweenStatementsEndsWithTheTask() async throws {
    let pool = try pool { $0.connectionCount = 1 }
    let started = Gate()
    let task = Task {
      try await pool.withConnection { connection in
        started.open()
        while true { try connection.throwIfInterrupted() }
      }
    }
    #expect(try await eventually { started.isOpened })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(.timeLimit(.minutes(5)))
  func rowsThatAreTakenSlowlyEndWithTheTask() async throws {
    let pool = try pool { $0.connectionCount = 1 }
    let started = Gate()
    let task = Task {
      try await pool.withConnection { connection in
        try connection.streamRows("SELECT generate_series(1, 1000)") { _ in
          started.open()
          usleep(100_000)
        }
      }
    }
    #expect(try await eventually { started.isOpened })
    let cancelled = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ContinuousClock.now - cancelled < .seconds(20))
  }

  @Test func everyConnectionIsWarmedUp() async throws {
    for _ in 0..<20 {
      let pool = try pool { $0.connectionCount = 4 }
      // One that is open already is quicker than the others.
      try await pool.withConnection { _ in }
      let sessions = Mutex<Set<Int32>>([])
      try await pool.warmUp { connection in sessions.withLock { _ = $0.insert(connection.backendProcessID) } }
      #expect(sessions.withLock { $0.count } == 4)
      await pool.shutdown()
    }
  }

  @Test func aTerminatedConnectionIsReplaced() async throws {
    let pool = try pool { $0.connectionCount = 1 }
    let backend = try await pool.withConnection { $0.backendProcessID }
    try Connection(TemporaryCluster.shared().configuration)
      .query("SELECT pg_terminate_backend($1, 5000)", [.int4(backend)])
    let next = try await pool.withConnection { connection in
      try connection.execute("SELECT 1")
      return connection.backendProcessID
    }
    #expect(next != backend)
    let error = await postgresError {
      _ = try await pool.withConnection { try $0.query("SELECT pg_terminate_backend(pg_backend_pid())") }
    }
    #expect(error?.isConnectionLost == true)
    #expect(try await pool.withConnection { try $0.query("SELECT 1").int64(0, 0) } == 1)
  }

  @Test func withoutAServerACallFailsWithinItsPatience() async throws {
    let nowhere = ConnectionConfiguration(socketDirectory: "/tmp/no-such-directory", user: "x", database: "x")
    var configuration = PoolConfiguration(nowhere)
    configuration.reconnectPatience = .milliseconds(50)
    let pool = Pool(configuration)
    let error = await postgresError { try await pool.withConnection { _ in } }
    #expect(error?.kind == .connection && error?.isRetriable == true)
    await pool.shutdown()
  }

  @Test func afterShutdownCallsAreRefused() async throws {
    let pool = try pool()
    try await pool.withConnection { _ in }
    await pool.shutdown()
    await pool.shutdown()
    #expect(await postgresError { try await pool.withConnection { _ in } }?.kind == .poolClosed)
  }

  @Test(.timeLimit(.minutes(5)))
  func aKilledServerIsReportedRevivedAndUsedAgain() async throws {
    let temporary = try TemporaryCluster()
    let changes = Mutex<[(isAvailable: Bool, at: ContinuousClock.Instant)]>([])
    var configuration = PoolConfiguration(temporary.cluster, temporary.configuration)
    configuration.onAvailabilityChange = { isAvailable in changes.withLock { $0.append((isAvailable, .now)) } }
    let pool = Pool(configuration)
    #expect(try await eventually { changes.withLock { $0.map(\.isAvailable) } == [true] })
    try await pool.withConnection { try $0.execute("CREATE TABLE t AS SELECT 7 AS x") }
    let killedAt = ContinuousClock.now
    kill(try #require(temporary.cluster.processID), SIGKILL)
    #expect(try await eventually { changes.withLock { $0.count } >= 2 })
    // Waits for the server instead of failing.
    #expect(try await pool.withConnection { try $0.query("SELECT x FROM t").int64(0, 0) } == 7)
    #expect(try await eventually { changes.withLock { $0.map(\.isAvailable) } == [true, false, true] })
    let seen = changes.withLock { $0 }
    #expect(killedAt.duration(to: seen[1].at) < .seconds(10))
    await pool.shutdown()
  }

  @Test(.timeLimit(.minutes(5)))
  func aHangingServerIsReportedAndItsReturnToo() async throws {
    let temporary = try TemporaryCluster()
    let changes = Mutex<[Bool]>([])
    var configuration = PoolConfiguration(temporary.configuration)
    configuration.heartbeatInterval = .milliseconds(50)
    configuration.heartbeatTimeout = .milliseconds(200)
    configuration.connection.connectTimeout = .seconds(2)
    configuration.onAvailabilityChange = { isAvailable in changes.withLock { $0.append(isAvailable) } }
    let pool = Pool(configuration)
    // A machine that stands still for as long as PostgreSQL may is taken for one as well; so only the last change counts.
    #expect(try await eventually { changes.withLock { $0.last } == true })
    let server = try #require(temporary.cluster.processID)
    let sessions = processes(childrenOf: server)
    for process in sessions + [server] { kill(process, SIGSTOP) }
    #expect(try await eventually { changes.withLock { $0.last } == false })
    for process in sessions + [server] { kill(process, SIGCONT) }
    #expect(try await eventually { changes.withLock { $0.last } == true })
    let seen = changes.withLock { $0 }
    #expect(seen == seen.indices.map { $0.isMultiple(of: 2) }, "each of them is a change")
    await pool.shutdown()
  }

  private func processes(childrenOf parent: Int32) -> [Int32] {
    let path = "/proc/\(parent)/task/\(parent)/children"
    return String(decoding: readFile(path), as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
  }

  private func postgresError(_ body: () async throws -> Void) async -> PostgresError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? PostgresError
    }
  }
}

/// Holds threads back until it is opened.
private final class Gate: Sendable {
  private let isOpen = Atomic(false)
  private let waiting = Atomic(0)
  var isOpened: Bool { isOpen.load(ordering: .acquiring) }
  var waiters: Int { waiting.load(ordering: .acquiring) }
  func open() { isOpen.store(true, ordering: .releasing) }
  func wait() {
    waiting.add(1, ordering: .acquiringAndReleasing)
    while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
  }
}
