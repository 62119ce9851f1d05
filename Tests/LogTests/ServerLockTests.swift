import Domain
import Logging
import Postgres
import Synchronization
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// A database has one server, and whoever has lost it commits nothing more.
@Suite(.timeLimit(.minutes(5))) struct ServerLockTests {
  /// Counts lines.
  private struct Lines: LogHandler {
    let count: Counter
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .error

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { count.add(1) }
  }

  private func end(_ purpose: String, _ connection: Connection) throws {
    try connection.query(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE $1
      """, [.text("trackme-\(purpose)-%")])
  }

  /// The session that has the lock; 0 if none has.
  private func holder(_ connection: Connection) throws -> Int64 {
    try connection.query(
      """
      SELECT coalesce(max(a.pid), 0)::bigint FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE a.datname = current_database() AND l.locktype = 'advisory' AND application_name LIKE 'trackme-server-%'
      """, []
    ).int64(0, 0)
  }

  @Test func itIsTakenOnceAndTakenAgainWhenPostgreSQLHasLostIt() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("server_lock")
    let connection = try Connection(database)
    let (first, second) = (ServerLock(database: database), ServerLock(database: database))
    try first.take()
    #expect(throws: ServerLock.Taken.self) { try second.take() }
    let keeping = Task { try await first.keep() }
    let before = try holder(connection)
    try end("server", connection)
    try await eventually { try ![0, before].contains(holder(connection)) }
    #expect(throws: ServerLock.Taken.self) { try second.take() }
    first.release()
    try await keeping.value
    try second.take()
    #expect(try holder(connection) > 0)
  }

  @Test func whoKeepsItHearsThatAnotherServerHasIt() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("server_lock_lost")
    let connection = try Connection(database)
    let (first, second) = (ServerLock(database: database), ServerLock(database: database))
    try first.take()
    try end("server", connection)
    try second.take()
    await #expect(throws: ServerLock.Taken.self) { try await first.keep() }
    second.release()
  }

  @Test func aServerThatHasLostTheDatabaseCommitsNothingMore() async throws {
    let database = try TemporaryCluster.shared().preparedDatabase("server_lock_writer", StorageSystem.migrate)
    let connection = try Connection(database)
    let (first, second) = (ServerLock(database: database), ServerLock(database: database))
    try first.take()
    let pool = Pool(database)
    let failures = Counter()
    let storage = try await StorageSystem.open(
      areas: .all, database: database, pools: StoragePools(sharing: pool), lock: first,
      logger: Logger(label: "test") { _ in Lines(count: failures) })
    storage.writer.start()
    let owner = Owner()
    let session = try await storage.writer.openSession(name: nil, owner: owner)
    func rows() throws -> Int64 { try connection.query("SELECT count(*) FROM reading_log", []).int64(0, 0) }
    try end("server", connection)
    try second.take()
    // The writer connects with its first commit: what fails is not a session that was ended.
    let outcome = storage.writer.append(.scalars(person: 7, [(1, 60)]), sequence: 0, of: session)
    #expect(outcome == .queued)
    try await eventually { failures.value == 1 }
    #expect(try rows() == 0 && owner.batches == 0)
    // It is not thrown away either: with the other one gone it is committed.
    try end("server", connection)
    try await eventually { owner.batches == 1 }
    #expect(try rows() == 1)
    await storage.writer.close()
    await pool.shutdown()
  }
}
