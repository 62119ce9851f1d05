internal import Glibc
public import Postgres
internal import Threads

/// What a server needs of its database beside the tables: looked at when it starts, so that it refuses to serve where nothing
/// could be stored.
public struct DatabaseNeeds: Sendable {
  /// The database does not give what the server needs.
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  /// How many connections a server has: those of its pools, and one each for the log's writer, the monitor of the pools, the
  /// ledger of disclosures and `ServerLock`.
  public static let connections = 20
  /// How long a database may take to give them. A server that was killed may have some of them for a moment.
  static let patience: Duration = .seconds(5)
  private static let majorVersion = 15
  /// How often is looked whether a session stays the same: a pooler may give the same one several times.
  private static let looks = 5

  private let database: ConnectionConfiguration
  private let patience: Duration

  public init(of database: ConnectionConfiguration) { self.init(of: database, patience: Self.patience) }

  init(of database: ConnectionConfiguration, patience: Duration) {
    self.database = database
    self.patience = patience
  }

  /// To be called before anything else is done with the database, `ServerLock` among it, which means nothing where a connection
  /// is not one session. Blocks.
  /// - Throws: `Missing`, with the names of what is not there; `PostgresError` where nobody answers.
  public func check() throws {
    try checkSessions()
    try checkConnections()
  }

  // MARK: Sessions

  /// A connection must be one session from its beginning to its end, as it is not behind a pooler that hands each transaction
  /// to another one.
  private func checkSessions() throws {
    let (first, second) = (try Connection(database), try Connection(database))
    guard first.serverVersion >= Self.majorVersion * 10_000 else {
      throw Missing(description: "the database must be PostgreSQL \(Self.majorVersion) or later")
    }
    let missing = try within(patience, [first, second]) {
      let kept = try (0..<Self.looks).map { _ in
        (
          locks: try Self.keepLocks(first, second), settings: try Self.keepSettings(first, second),
          statements: Self.keepStatements(first, second)
        )
      }
      return [
        kept.allSatisfy(\.locks) ? nil : "advisory locks of sessions",
        kept.allSatisfy(\.settings) ? nil : "settings of sessions",
        kept.allSatisfy(\.statements) ? nil : "prepared statements",
      ].compactMap { $0 }
    }
    guard missing.isEmpty else {
      throw Missing(
        description:
          "the database does not give what a server needs: \(missing.joined(separator: ", ")). A connection must "
          + "be one session: connect to PostgreSQL itself, or to a pooler in session mode")
    }
  }

  /// Each statement may come to another session there: the second connection may have the lock of the first, and the first
  /// may have none.
  private static func keepLocks(_ first: Connection, _ second: Connection) throws(PostgresError) -> Bool {
    let key = [Parameter.int8(.random(in: .min ... .max))]
    _ = try first.query("SELECT pg_advisory_lock($1)", key)
    let isTakenTwice = try second.query("SELECT pg_try_advisory_lock($1)", key).bool(0, 0)
    let isKept = try first.query("SELECT pg_advisory_unlock($1)", key).bool(0, 0)
    let isFree = try second.query("SELECT pg_try_advisory_lock($1)", key).bool(0, 0)
    let isKeptAgain = try second.query("SELECT pg_advisory_unlock($1)", key).bool(0, 0)
    if isTakenTwice { _ = try second.query("SELECT pg_advisory_unlock($1)", key) }
    return !isTakenTwice && isKept && isFree && isKeptAgain
  }

  private static func keepSettings(_ first: Connection, _ second: Connection) throws(PostgresError) -> Bool {
    let name = "trackme.session"
    _ = try first.query("SELECT set_config($1, 'first', false)", [.text(name)])
    _ = try second.query("SELECT set_config($1, 'second', false)", [.text(name)])
    let read = "SELECT coalesce(current_setting($1, true), '')"
    let ofSecond = try second.query(read, [.text(name)]).string(0, 0)
    let ofFirst = try first.query(read, [.text(name)]).string(0, 0)
    return ofFirst == "first" && ofSecond == "second"
  }

  private static func keepStatements(_ first: Connection, _ second: Connection) -> Bool {
    let name = "trackme_session_\(UInt32.random(in: 0 ... .max))"
    do throws(PostgresError) {
      try first.prepare(name: name, sql: "SELECT 1")
      try second.prepare(name: name, sql: "SELECT 2")
      let ofSecond = try second.queryPrepared(name).int32(0, 0)
      return try first.queryPrepared(name).int32(0, 0) == 1 && ofSecond == 2
    } catch {
      return false
    }
  }

  // MARK: Connections

  /// The server must get all its connections.
  private func checkConnections() throws {
    let deadline = ContinuousClock.now + patience
    var open: [Connection] = []
    while open.count < Self.connections {
      do {
        let connection = try Connection(database)
        // A pooler takes more connections than it has, and lets their questions wait.
        try within(deadline - .now, [connection]) { _ = try connection.execute("SELECT 1") }
        open.append(connection)
      } catch {
        guard ContinuousClock.now >= deadline else {
          usleep(50_000)
          continue
        }
        throw Missing(
          description:
            "the database does not give what a server needs: it uses \(Self.connections) connections, and got "
            + "\(open.count) (\(error)). See CONNECTION LIMIT of its role and its database, max_connections, and the size "
            + "of a pooler's pool")
      }
    }
  }

  /// Cuts the connections where the body takes longer.
  private func within<T>(_ time: Duration, _ connections: [Connection], _ body: () throws -> T) throws -> T {
    let handles = connections.map(\.cancelHandle)
    let isOver = Monitored(false)
    DedicatedThread.detached("pg-needs") {
      let ended: Void? = isOver.wait(until: .now + time) { $0 ? () : nil }
      if ended == nil { for handle in handles { handle.cut() } }
    }
    defer { isOver.change { $0 = true } }
    return try body()
  }
}
