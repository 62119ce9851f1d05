package import Postgres
internal import Synchronization

/// The IANA time zones that PostgreSQL knows. It reads hundreds of files to list them, so it is asked once.
package final class TimeZoneNames: Sendable {
  private let known = Mutex<Set<String>>([])

  package init() {}

  /// Whether there is a zone of this name.
  package func contains(_ name: String, _ connection: Connection) throws(PostgresError) -> Bool {
    let names = known.withLock { $0 }
    if !names.isEmpty { return names.contains(name) }
    let rows = try connection.query("SELECT name FROM pg_timezone_names", [])
    var read: Set<String> = []
    for row in 0..<rows.rowCount { read.insert(try rows.string(row, 0)) }
    known.withLock { $0 = read }
    return read.contains(name)
  }
}
