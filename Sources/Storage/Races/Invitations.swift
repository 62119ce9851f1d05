public import Domain
public import Postgres

/// Who may enrol in a race by invitation: the invited persons, with the private link. The link's secret is not kept.
public struct Invitations: Sendable {
  /// Persons that may be invited to a race.
  public static let maxInvited = 20_000

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// What came of inviting.
  public struct Invited: Sendable, Equatable {
    /// Whether the new link is the race's from now on: it had none.
    public let isNewLink: Bool
    /// That no person's account has.
    public let unknown: [String]
  }

  /// Invites persons and tells them; who is invited already is not told again.
  ///
  /// - Parameters:
  ///   - link: SHA-256 of a new secret, which the race takes if it has none.
  ///   - states: the race's states in which it is possible.
  /// - Returns: nil if the race is in another state, is not by invitation, or would have too many invited.
  /// - Throws: `PostgresError`.
  public func invite(
    _ usernames: [String], to race: RaceID, link: [UInt8], by organizer: AccountID, states: [RaceState],
    at now: Microseconds
  ) async throws -> Invited? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let locked = try connection.query(
          """
          SELECT invitation_sha256 IS NULL FROM race r
          WHERE id = $1 AND by_invitation AND race_state(r, $2) = ANY ($3) FOR NO KEY UPDATE
          """,
          [.int8(race), .timestamptz(microsecondsSinceUnixEpoch: now), .int2Array(states.map(\.rawValue))])
        guard locked.rowCount == 1 else { return nil }
        let isNewLink = try locked.bool(0, 0)
        if isNewLink {
          try connection.query("UPDATE race SET invitation_sha256 = $2 WHERE id = $1", [.int8(race), .bytea(link)])
        }
        try connection.query(
          """
          WITH known AS (
            SELECT id FROM account WHERE lower(username) = ANY (SELECT lower(u) FROM unnest($2::text[]) u)
              AND kind = 'person' AND state = 'active'
          ), added AS (
            INSERT INTO race_invitation (race, person, invited_by) SELECT $1, id, $3 FROM known
            ON CONFLICT DO NOTHING RETURNING person
          )
          SELECT tell_runner(r, added.person, 16::smallint) FROM added, race r WHERE r.id = $1
          """, [.int8(race), .textArray(usernames), .int8(organizer)])
        let count = try connection.query("SELECT count(*) FROM race_invitation WHERE race = $1", [.int8(race)])
        guard try count.int64(0, 0) <= Self.maxInvited else { throw TooMany() }
        let unknown = try connection.query(
          """
          SELECT coalesce(array_agg(u ORDER BY place), '{}') FROM unnest($1::text[]) WITH ORDINALITY AS n (u, place)
          WHERE NOT EXISTS (SELECT FROM account
            WHERE lower(username) = lower(u) AND kind = 'person' AND state = 'active')
          """, [.textArray(usernames)])
        return Invited(isNewLink: isNewLink, unknown: try unknown.stringArray(0, 0))
      }
    }
  }

  /// More persons would be invited than may be: nothing has changed.
  public struct TooMany: Error {}

  /// Takes invitations of persons back; who has enrolled stays.
  /// - Returns: how many there were.
  /// - Throws: `PostgresError`.
  public func revoke(_ usernames: [String], of race: RaceID) async throws -> Int {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Whoever enrols at this moment has done so, or is not invited any more.
        try connection.query("SELECT FROM race WHERE id = $1 FOR NO KEY UPDATE", [.int8(race)])
        return try connection.query(
          """
          DELETE FROM race_invitation i USING account a
          WHERE i.race = $1 AND a.id = i.person
            AND lower(a.username) = ANY (SELECT lower(u) FROM unnest($2::text[]) u)
          """, [.int8(race), .textArray(usernames)]
        ).affectedRows
      }
    }
  }

  /// Puts a new link in the place of the old one, which ends.
  /// - Parameter link: SHA-256 of the new secret.
  /// - Returns: false if the race is not by invitation.
  /// - Throws: `PostgresError`.
  public func renewLink(of race: RaceID, to link: [UInt8]) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query(
        "UPDATE race SET invitation_sha256 = $2 WHERE id = $1 AND by_invitation", [.int8(race), .bytea(link)]
      ).affectedRows == 1
    }
  }
}

extension StorageSystem {
  /// Invitations to races.
  public var invitations: Invitations { Invitations(pool: pool) }
}
