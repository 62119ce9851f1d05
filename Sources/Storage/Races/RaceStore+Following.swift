public import Domain
internal import Postgres

extension RaceStore {
  /// The races that have changed since an earlier look, or those that are open, at first: those that are neither drafts
  /// nor over.
  ///
  /// A look sees one state of the database. What it names may have been named by the look before, but nothing that is
  /// committed is ever left out: a transaction that it does not see is newer than the mark that it returns.
  ///
  /// - Parameters:
  ///   - mark: what the look before returned; nil for the first look.
  ///   - now: by which races are over.
  /// - Returns: the races by their numbers, and where the next look begins.
  /// - Throws: `PostgresError`.
  public func changed(
    since mark: RosterMark?, at now: Microseconds
  ) async throws -> (races: [RaceRecord], mark: RosterMark) {
    try await pool.withConnection { connection in
      if mark == nil {
        // Rows from a dump of another cluster have its transactions' numbers, which may be far ahead.
        try connection.query(
          "UPDATE race SET changed_in = pg_current_xact_id() WHERE changed_in >= pg_snapshot_xmax(pg_current_snapshot())"
        )
      }
      return try connection.inTransaction { connection in
        _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let next = RosterMark(
          xmin: try connection.query("SELECT pg_snapshot_xmin(pg_current_snapshot())::text").string(0, 0))
        let condition =
          mark == nil
          ? "$1 = '' AND r.starts_at > $2 - interval '48 hours' AND race_state(r, $2) IN (2, 3, 4)"
          : "r.changed_in >= $1::xid8 AND $2 IS NOT NULL"
        let races = try RaceRows.read(
          connection, "WHERE \(condition) ORDER BY r.id",
          [.text(mark?.xmin ?? ""), .timestamptz(microsecondsSinceUnixEpoch: now)])
        return (races, next)
      }
    }
  }
}
