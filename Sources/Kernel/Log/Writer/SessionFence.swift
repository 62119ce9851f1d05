internal import Glibc
internal import Postgres

/// Makes sure that nothing is left of a session that is gone.
///
/// A server process that was killed, or a connection that was lost, may leave a session in PostgreSQL that goes on for a
/// while: a writer's may still hold a whole commit group it has not begun with. Were its clients told their last sequence
/// before that commits, they would send the same batches again, and both would be stored. So such sessions carry a name, and
/// are ended before anybody takes their place. A writer that is alive after all connects again and finds out what it has
/// committed.
struct SessionFence {
  /// What sessions are for.
  enum Purpose: String {
    /// They commit to the log.
    case writer
    /// They hold the lock of the one server: see `ServerLock`.
    case server

    fileprivate var prefix: String { "trackme-\(rawValue)-" }
  }

  /// The name of this one's sessions.
  let name: String

  init(_ purpose: Purpose) { name = purpose.prefix + String(UInt64.random(in: .min ... .max), radix: 16) }

  /// Ends this one's earlier session, if there is one left, and names the new one.
  func enter(_ connection: Connection) throws(PostgresError) {
    try Self.end(connection, named: name)
    try connection.query("SELECT set_config('application_name', $1, false)", [.text(name)])
  }

  /// Ends the sessions of all writers of this database. Only for the server that holds the lock, before it writes.
  static func endAllWriters(_ connection: Connection) throws(PostgresError) {
    try end(connection, named: Purpose.writer.prefix + "%")
  }

  private static func end(_ connection: Connection, named pattern: String) throws(PostgresError) {
    // A session that commits is given the time to finish; one that does not end in this time fails the attempt.
    for _ in 0..<2_000 {
      let ended = try connection.query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND application_name LIKE $1
          AND pid <> pg_backend_pid()
        """, [.text(pattern)])
      if ended.rowCount == 0 { return }
      usleep(5_000)
    }
    throw PostgresError(.timeout, "a session that is gone does not end")
  }
}
