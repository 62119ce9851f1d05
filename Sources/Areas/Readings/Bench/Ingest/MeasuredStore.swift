package import BenchKit
internal import Glibc
internal import Postgres

/// A table that the same rows go into, for comparison.
enum ComparisonTable: String {
  case bare
  case keyed

  var name: String { "bench_\(rawValue)" }
}

/// The database of the measured server, as an administrator sees it.
package final class MeasuredStore {
  private let connection: Connection

  package init(_ server: MeasuredServer) throws {
    connection = try Connection(server.database)
    try ReadingGenerator.addMetrics(connection)
  }

  /// Start of an hour that was over long ago, so that its chunks are merged at once; microseconds.
  package func closedHour() throws -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return (Int64(now.tv_sec) / 3_600 - 3) * 3_600_000_000
  }

  /// Writes out what is dirty, so that no measurement pays for the one before.
  func checkpoint() throws { try connection.execute("CHECKPOINT") }

  func create(_ table: ComparisonTable) throws {
    let key = table == .keyed ? ", PRIMARY KEY (person, metric, time)" : ""
    try connection.execute(
      """
      CREATE TABLE \(table.name) (person bigint NOT NULL, metric integer NOT NULL, time timestamptz NOT NULL,
        value float8 NOT NULL\(key)) WITH (autovacuum_enabled = false)
      """)
  }

  func drop(_ table: ComparisonTable) { _ = try? connection.execute("DROP TABLE \(table.name)") }

  func rows(of table: ComparisonTable) throws -> Int {
    try number("SELECT count(*) FROM \(table.name)")
  }

  /// Readings in the log and in chunks.
  func storedReadings() throws -> Int {
    try number(
      """
      SELECT ((SELECT coalesce(sum(reading_count), 0) FROM reading_log)
        + (SELECT coalesce(sum(reading_count), 0) FROM reading_chunk))::bigint
      """)
  }

  /// Waits until everything is in chunks. An hour's chunks are merged later, when nothing has come for it for a while.
  package func settle() throws {
    try Interruption.wait(for: "compaction", within: .seconds(180)) {
      let left = try number("SELECT count(*) FROM reading_log")
      if left > 0 { try Interruption.sleep(.milliseconds(200)) }
      return left == 0 ? true : nil
    }
  }

  /// Size of log and chunks with their indexes, after VACUUM, as the tables are: space that can be used again included.
  func diskBytes() throws -> Double {
    for table in ["reading_log", "reading_chunk"] { try connection.execute("VACUUM \(table)") }
    return try relationBytes()
  }

  /// The same without the space that later readings will use again. Rewrites the tables.
  func liveDiskBytes() throws -> Double {
    for table in ["reading_log", "reading_chunk"] { try connection.execute("VACUUM FULL \(table)") }
    return try relationBytes()
  }

  private func relationBytes() throws -> Double {
    try checkpoint()
    return Double(
      try number("SELECT pg_total_relation_size('reading_log') + pg_total_relation_size('reading_chunk')"))
  }

  private func number(_ sql: String) throws -> Int { Int(try connection.query(sql).int64(0, 0)) }
}
