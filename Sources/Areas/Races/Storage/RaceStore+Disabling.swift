public import Domain
internal import Postgres
public import RacesRules

// What administrators decide about races.

extension RaceStore {
  /// Disables a race or enables it again, with an entry in the record, and tells its organisers. The exertion that a
  /// disabled race has declared for its runners ends.
  ///
  /// - Parameters:
  ///   - reason: at most 500 characters; for the record, and for the organisers.
  ///   - now: when it is decided.
  /// - Returns: whether there is such a race; one that is so already stays as it is.
  /// - Throws: `PostgresError`.
  public func setDisabled(
    _ isDisabled: Bool, _ race: RaceID, reason: String, by administrator: AccountID, at now: Microseconds
  ) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let known = try connection.query(
          "SELECT is_disabled FROM race WHERE id = $1 FOR NO KEY UPDATE", [.int8(race)])
        guard known.rowCount == 1 else { return false }
        if try known.bool(0, 0) == isDisabled { return true }
        try connection.query(
          "UPDATE race SET is_disabled = $2, \(Self.touched) WHERE id = $1", [.int8(race), .bool(isDisabled)])
        try connection.query(
          """
          INSERT INTO race_disabling (race, is_disabled, reason, decided_by, decided_at) VALUES ($1, $2, $3, $4, $5)
          """,
          [
            .int8(race), .bool(isDisabled), .text(reason), .int8(administrator),
            .timestamptz(microsecondsSinceUnixEpoch: now),
          ])
        if isDisabled { try Self.endExertion(of: race, at: now, connection) }
        try Self.notify(connection, race, .organizers, kind: isDisabled ? 28 : 29, facts: ["reason": reason])
        return true
      }
    }
  }

  private static func endExertion(of race: RaceID, at now: Microseconds, _ connection: Connection) throws {
    // In one order, as where it is declared.
    try connection.query(
      """
      UPDATE sos_settings SET changed_in = pg_current_xact_id() WHERE person IN (
        SELECT person FROM sos_settings WHERE person IN (
          SELECT person FROM sos_exertion WHERE race = $1 AND ended_at IS NULL) ORDER BY person FOR UPDATE)
      """, [.int8(race)])
    try connection.query(
      "UPDATE sos_exertion SET ended_at = least($2, ends_at) WHERE race = $1 AND ended_at IS NULL",
      [.int8(race), .timestamptz(microsecondsSinceUnixEpoch: now)])
  }
}
