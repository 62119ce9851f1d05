public import Domain
public import Log
public import Postgres
public import RacesRules

/// Who may enrol in a race by invitation: the invited persons, with the private link. The link's secret is not kept.
public struct Invitations: Sendable {
  /// Persons that may be invited to a race.
  public static let maxInvited = 20_000

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Usernames that an organiser may give to invite somebody in `RaceNotices.period`, in all races together. Those that
  /// nobody has count as well, or the limit would tell them apart.
  public static let askedPerDayMax = 2_000

  /// Why nothing has changed.
  public enum Refusal: Error, Sendable, Equatable {
    /// More persons would be invited to the race than may be.
    case tooManyInvited
    /// The organiser has given as many usernames as there may be in a day.
    case tooManyAsked
  }

  /// Invites persons, who are told afterwards (`RaceNotices`): of a race once, of races of one organiser three times a day.
  /// Whether somebody has a username is not told.
  ///
  /// - Parameters:
  ///   - link: SHA-256 of a new secret, which the race takes if it has none.
  ///   - states: the race's states in which it is possible.
  /// - Returns: whether the new link is the race's from now on, because it had none; nil if the race is in another state or
  ///   is not by invitation.
  /// - Throws: `Refusal`, `PostgresError`.
  public func invite(
    _ usernames: [String], to race: RaceID, link: [UInt8], by organizer: AccountID, states: [RaceState],
    at now: Microseconds
  ) async throws -> Bool? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Of one organiser's wishes one comes after the other, so that the limit holds; before the race, as elsewhere.
        try connection.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [.int8(organizer)])
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
        guard !usernames.isEmpty else { return isNewLink }
        let asked = try connection.query(
          """
          SELECT coalesce(sum(asked_count), 0)::bigint FROM race_notice
          WHERE author = $1 AND made_at > now() - $2 * interval '1 microsecond'
          """, [.int8(organizer), .int8(RaceNotices.period)])
        guard try asked.int64(0, 0) + Int64(usernames.count) <= Self.askedPerDayMax else { throw Refusal.tooManyAsked }
        try connection.query(
          """
          WITH known AS (
            SELECT id FROM account WHERE lower(username) = ANY (SELECT lower(u) FROM unnest($2::text[]) u)
              AND kind = 'person' AND state = 'active'
          ), added AS (
            INSERT INTO race_invitation (race, person, invited_by) SELECT $1, id, $3 FROM known
            ON CONFLICT DO NOTHING RETURNING person
          )
          INSERT INTO race_notice (race, kind, audience, accounts, facts, author, asked_count, decided_at)
          SELECT r.id, 16, '{}', ARRAY(SELECT person FROM added), jsonb_build_object('race', r.id::text, 'name', r.name),
            $3, cardinality($2::text[]), $4
          FROM race r WHERE r.id = $1
          """,
          [
            .int8(race), .textArray(usernames), .int8(organizer), .timestamptz(microsecondsSinceUnixEpoch: now),
          ])
        let count = try connection.query("SELECT count(*) FROM race_invitation WHERE race = $1", [.int8(race)])
        guard try count.int64(0, 0) <= Self.maxInvited else { throw Refusal.tooManyInvited }
        return isNewLink
      }
    }
  }

  /// Takes invitations of persons back; who has enrolled stays.
  /// - Throws: `PostgresError`.
  public func revoke(_ usernames: [String], of race: RaceID) async throws {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Whoever enrols at this moment has done so, or is not invited any more.
        try connection.query("SELECT FROM race WHERE id = $1 FOR NO KEY UPDATE", [.int8(race)])
        try connection.query(
          """
          DELETE FROM race_invitation i USING account a
          WHERE i.race = $1 AND a.id = i.person
            AND lower(a.username) = ANY (SELECT lower(u) FROM unnest($2::text[]) u)
          """, [.int8(race), .textArray(usernames)])
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
