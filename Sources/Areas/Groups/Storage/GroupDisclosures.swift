package import Domain
package import Identity
package import Log
internal import Postgres

/// An answer about a group that a third party was given.
package struct GroupDisclosure: Sendable, Hashable {
  package let id: Int64
  package let thirdParty: AccountID
  package let recipient: ThirdPartyProfile
  /// A GroupQuestion, as it was told.
  package let question: [UInt8]
  package let answered: Microseconds
}

/// Which answers may have been made of whose readings.
package struct GroupDisclosures: Sendable {
  /// No withdrawal is under way for longer. Of those that were over before, clocks decide: a database that was restored
  /// from a dump counts its transactions anew.
  private static let longestChange = "interval '1 hour'"

  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// Those that may have been made of a person's readings too, the newest first: where they live and what they weigh is not
  /// looked at, as both change.
  /// - Throws: `PostgresError`.
  package func list(of person: PersonID, before: Int64, limit: Int) async throws -> [GroupDisclosure] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT d.id, d.third_party, d.question, d.answered_at, \(ThirdPartyProfile.columns)
        FROM group_disclosure d JOIN account a ON a.id = d.third_party \(ThirdPartyProfile.join) CROSS JOIN person p
        WHERE p.account = $1 AND d.id < $2 AND (d.sex IS NULL OR d.sex = p.sex)
          AND p.date_of_birth <= d.first_day - make_interval(years => d.from_age)
          AND p.date_of_birth > d.first_day - make_interval(years => d.to_age + 1)
          AND EXISTS (
            SELECT FROM anonymous_period s
            WHERE s.person = $1 AND s.metric = ANY (d.metrics) AND s.counts_from_us < d.to_us
              AND (s.ended_at IS NULL OR s.ended_at > d.read_at
                OR s.ended_at > d.read_at - \(Self.longestChange)
                  AND NOT pg_visible_in_snapshot(s.ended_by, d.snapshot)))
        ORDER BY d.id DESC LIMIT $3
        """, [.int8(person), .int8(before), .int8(Int64(limit))])
      return try (0..<rows.rowCount).map { row in
        GroupDisclosure(
          id: try rows.int64(row, 0), thirdParty: try rows.int64(row, 1),
          recipient: try ThirdPartyProfile(rows, row, from: 4), question: try rows.bytes(row, 2),
          answered: try rows.timestamptz(row, 3))
      }
    }
  }
}

extension StorageSystem {
  /// Which answers may have been made of whose readings.
  package var groupDisclosures: GroupDisclosures { GroupDisclosures(pool: pool) }
}
