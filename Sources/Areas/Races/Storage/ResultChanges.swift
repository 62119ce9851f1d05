internal import Postgres
public import RacesRules

/// What an organiser decided about results, and why.
public struct ResultChange: Sendable, Hashable {
  public let change: RaceChange
  public let reason: String
  /// Nil if the account was erased.
  public let author: RaceOrganizer?
}

extension RaceStore {
  /// The decisions about the runners of a race, in their order.
  /// - Throws: `PostgresError`.
  public func resultChanges(of race: RaceID) async throws -> [ResultChange] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT c.kind::bigint, c.persons, c.author, c.changed_at, c.finish_us, c.reason, coalesce(a.username, ''),
          coalesce(a.display_name, ''), coalesce(a.state = 'active', false)
        FROM race_change c LEFT JOIN account a ON a.id = c.author
        WHERE c.race = $1 AND c.kind BETWEEN 3 AND 8 ORDER BY c.position
        """, [.int8(race)])
      return try (0..<rows.rowCount).compactMap { row in
        guard let kind = RaceChange.Kind(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 0))) else {
          return nil
        }
        let author = try rows.int64(row, 2)
        return ResultChange(
          change: RaceChange(
            race: race, kind: kind, persons: try rows.int64Array(row, 1), author: author,
            time: try rows.timestamptz(row, 3), finishTime: try rows.int64(row, 4)),
          reason: try rows.string(row, 5),
          author: try rows.bool(row, 8)
            ? RaceOrganizer(account: author, username: try rows.string(row, 6), name: try rows.string(row, 7)) : nil)
      }
    }
  }
}
