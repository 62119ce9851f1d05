internal import Postgres
internal import Synchronization

/// A number of this server process, and a lock in PostgreSQL that says that the process lives.
final class InstanceLock: Sendable {
  let instance = Int64.random(in: 1 ... .max)
  private let database: ConnectionConfiguration
  // A connection of its own, for the lock ends with the session that holds it.
  private let connection = Mutex<Connection?>(nil)

  init(database: ConnectionConfiguration) { self.database = database }

  /// Sees to it that the lock is held. Blocks: it is called on a thread of the pool.
  /// - Throws: `PostgresError` if PostgreSQL can't be reached.
  func hold() throws(PostgresError) {
    try connection.withLock { connection throws(PostgresError) in
      if let connection, connection.isConnected { return }
      connection?.close()
      connection = nil
      let new = try Connection(database)
      try new.endSoonWithoutPeer()
      // The session that was lost may not have ended yet.
      try new.query("SELECT pg_advisory_lock($1)", [.int8(instance)])
      connection = new
    }
  }

  func release() {
    connection.withLock { connection in
      connection?.close()
      connection = nil
    }
  }

  /// Which of some processes live no more.
  static func dead(_ instances: [Int64], _ connection: Connection) throws(PostgresError) -> [Int64] {
    var dead: [Int64] = []
    for instance in instances {
      guard try connection.query("SELECT pg_try_advisory_lock($1)", [.int8(instance)]).bool(0, 0) else { continue }
      try connection.query("SELECT pg_advisory_unlock($1)", [.int8(instance)])
      dead.append(instance)
    }
    return dead
  }
}
