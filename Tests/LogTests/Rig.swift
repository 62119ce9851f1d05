import Domain
import Logging
import Postgres
import SosRules
import Synchronization
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races
@testable import Sharing
@testable import Sos

/// Everything of storage over a database of its own, on a real PostgreSQL.
struct Rig: Sendable {
  let database: ConnectionConfiguration
  let pool: Pool
  let storage: StorageSystem
  let payments: PaymentStore
  var writer: LogWriter { storage.writer }
  var tail: LogTail { storage.tail }

  /// A connection beside storage's own.
  func connection() throws -> Connection { try Connection(database) }

  /// Commits batches of one nameless session, one after the other, each in a row of its own.
  func commit(_ batches: [ReadingColumns]) async throws {
    let owner = Owner()
    let session = try await writer.openSession(name: nil, owner: owner)
    for (index, batch) in batches.enumerated() {
      #expect(writer.append(batch, sequence: 0, of: session) == .queued)
      try await eventually { owner.batches == index + 1 }
    }
    writer.closeSession(session)
  }

  /// All watermarks in their order.
  func watermarks() throws -> [Watermark] {
    let rows = try connection().query(#"SELECT "time", position FROM watermark ORDER BY "time", position"#, [])
    return try (0..<rows.rowCount).map {
      Watermark(time: try rows.timestamptz($0, 0), position: try rows.int64($0, 1))
    }
  }

  /// One pass of the compactor over at most so many readings: rows are taken whole.
  func compact(readings: Int = .max) async throws {
    let head = tail.head
    let (rows, through) = try await pool.withConnection { connection in
      try connection.inTransaction {
        try CompactionPass.run(on: $0, head: head, policy: .readings(min(readings, 1 << 40)))
      }
    }
    if rows > 0 { tail.compacted(through: through) }
  }

  /// Everything in the log and in chunks, with positions, in no order: what is really stored.
  func stored() throws -> [Reading] {
    let connection = try connection()
    var readings: [Reading] = []
    let log = try connection.query("SELECT position, payload FROM reading_log", [])
    for row in 0..<log.rowCount {
      let block = try log.withBytes(row, 1) { try BlockCodec.decode($0) }
      readings += Reading.all(of: block.columns, at: try log.int64(row, 0))
    }
    let chunks = try connection.query("SELECT payload FROM reading_chunk", [])
    for row in 0..<chunks.rowCount {
      readings += Reading.all(of: try chunks.withBytes(row, 0) { try BlockCodec.decode($0) })
    }
    return readings
  }
}

/// Opens storage over a database of its own for the length of `body`.
func withStorage(
  _ name: String = #function, limits: LogWriter.Limits = .init(),
  _ body: (Rig) async throws -> Void
) async throws {
  let cluster = try TemporaryCluster.shared()
  let database = try cluster.preparedDatabase(name, StorageSystem.migrate)
  defer { try? cluster.remove(database) }
  try await withStorage(on: database, limits: limits, body)
}

/// Opens storage over a database that may have been used before.
/// - Parameter writing: how the log's writer comes to the database; nil: as everybody does.
func withStorage(
  on database: ConnectionConfiguration, writing: ConnectionConfiguration? = nil, limits: LogWriter.Limits = .init(),
  _ body: (Rig) async throws -> Void
) async throws {
  await turnstile.enter()
  defer { turnstile.leave() }
  var configuration = PoolConfiguration(database)
  configuration.connectionCount = 3
  let pool = Pool(configuration)
  let storage = try await StorageSystem.open(
    areas: .all, database: writing ?? database, pools: StoragePools(sharing: pool), limits: limits, logger: quiet)
  storage.writer.start()
  let payments = PaymentStore(pool: storage.pool)
  payments.add(.fees)
  let result: Swift.Result<Void, any Error>
  do {
    result = .success(try await body(Rig(database: database, pool: pool, storage: storage, payments: payments)))
  } catch {
    result = .failure(error)
  }
  await storage.writer.close()
  await pool.shutdown()
  try result.get()
}

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Tests begin all at once; PostgreSQL has connections for some of them.
private let turnstile = Turnstile(places: 6)

/// Hears of a session's commits.
final class Owner: IngestSessionOwner {
  private let state = Mutex<(notices: [CommitNotice], isSuperseded: Bool)>(([], false))

  func committed(_ notice: CommitNotice) { state.withLock { $0.notices.append(notice) } }
  func superseded() { state.withLock { $0.isSuperseded = true } }

  var notices: [CommitNotice] { state.withLock(\.notices) }
  var batches: Int { notices.reduce(0) { $0 + $1.batches } }
  var isSuperseded: Bool { state.withLock(\.isSuperseded) }
  /// The position of each batch, in the order in which they were queued.
  var positions: [LogPosition] { notices.flatMap { Array(repeating: $0.position, count: $0.batches) } }
}

/// Offers a batch until it is taken.
@discardableResult
func push(
  _ columns: ReadingColumns, _ sequence: UInt64, _ session: IngestSession, _ writer: LogWriter
) async throws -> AppendOutcome {
  while true {
    let outcome = writer.append(columns, sequence: sequence, of: session)
    guard outcome == .full else { return outcome }
    try await writer.waitForRoom()
  }
}

/// Holds the lock that every commit takes: PostgreSQL is there, and nothing moves.
final class CommitBlock {
  private let connection: Connection

  init(_ database: ConnectionConfiguration) throws {
    connection = try Connection(database)
    _ = try connection.query("SELECT pg_advisory_lock($1)", [.int8(0x7472_6163_6b6d_6501)])
  }

  func end() { connection.close() }
}

extension Compactor.Policy {
  /// Passes of about this many readings.
  static func readings(_ count: Int) -> Compactor.Policy {
    var policy = Compactor.Policy()
    policy.maxReadings = count
    // Parts by person, as a long pass has them.
    policy.partReadings = 50
    return policy
  }
}
