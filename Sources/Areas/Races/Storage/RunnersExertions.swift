public import Domain
internal import Postgres
public import RacesRules
public import Sos

extension SosStore {
  /// The runners for whom a race has declared exertion.
  /// - Throws: `PostgresError`.
  public func exerting(in race: RaceID) async throws -> Set<PersonID> {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT person FROM sos_exertion WHERE race = $1 AND ended_at IS NULL", [.int8(race)])
      return Set(try (0..<rows.rowCount).map { try rows.int64($0, 0) })
    }
  }

  /// Declares exertion for runners of a race, and ends it for others. What persons have declared themselves stays; who
  /// has no settings is left out.
  ///
  /// - Parameters:
  ///   - begun: whose begins now …
  ///   - time: … and how long it lasts if nobody ends it.
  ///   - ended: whose is over.
  ///   - now: the end of those.
  /// - Throws: `PostgresError`; then nothing has changed.
  public func declareExertion(
    of begun: [PersonID], during time: Range<Microseconds>, endingThatOf ended: [PersonID], at now: Microseconds,
    in race: RaceID
  ) async throws {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // In one order, so that servers that do the same do not wait for each other.
        try connection.query(
          """
          UPDATE sos_settings SET changed_in = pg_current_xact_id() WHERE person IN (
            SELECT person FROM sos_settings WHERE person = ANY ($1) ORDER BY person FOR UPDATE)
          """, [.int8Array(begun + ended)])
        if !begun.isEmpty {
          try connection.query(
            """
            INSERT INTO sos_exertion (person, race, begins_at, ends_at)
            SELECT person, $2, $3, $4 FROM sos_settings WHERE person = ANY ($1) ORDER BY person
            ON CONFLICT (race, person) WHERE race IS NOT NULL AND ended_at IS NULL DO NOTHING
            """,
            [
              .int8Array(begun), .int8(race), .timestamptz(microsecondsSinceUnixEpoch: time.lowerBound),
              .timestamptz(microsecondsSinceUnixEpoch: time.upperBound),
            ])
        }
        if !ended.isEmpty {
          try connection.query(
            """
            UPDATE sos_exertion SET ended_at = least($3, ends_at)
            WHERE race = $2 AND person = ANY ($1) AND ended_at IS NULL
            """, [.int8Array(ended), .int8(race), .timestamptz(microsecondsSinceUnixEpoch: now)])
        }
      }
    }
  }
}
