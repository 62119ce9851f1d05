public import Domain
internal import Postgres
public import RacesRules

// What few people of a race are told at once, in their inboxes and by e-mail. What many are told: `RaceNotices`.

extension RaceStore {
  /// Who is told: each account once, and only active ones.
  public enum Audience: Sendable, Hashable {
    case organizers
    case one(AccountID)
  }

  /// Tells people of a race something.
  ///
  /// - Parameters:
  ///   - kind: as `trackme.notifications.v1.NotificationKind`, 14 to 27.
  ///   - facts: what the words need beside the race's number and name, which are added here. Never a reading, never who
  ///     somebody is.
  /// - Throws: `PostgresError`.
  public func notify(
    _ race: RaceID, _ audience: Audience, kind: Int16, facts: [String: String] = [:]
  ) async throws {
    try await pool.withConnection { connection in
      try connection.inTransaction { try Self.notify($0, race, audience, kind: kind, facts: facts) }
    }
  }

  /// The same in the caller's transaction.
  static func notify(
    _ connection: Connection, _ race: RaceID, _ audience: Audience, kind: Int16, facts: [String: String] = [:]
  ) throws {
    let sorted = facts.sorted { $0.key < $1.key }
    let more: [Parameter] = [.textArray(sorted.map(\.key)), .textArray(sorted.map(\.value))]
    switch audience {
    case .one(let account):
      try connection.query(
        """
        SELECT add_notification(a.id, $3, facts =>
          jsonb_build_object('race', r.id::text, 'name', r.name) || jsonb_object($4::text[], $5::text[]))
        FROM race r JOIN account a ON a.id = $2 AND a.state = 'active' WHERE r.id = $1
        """, [.int8(race), .int8(account), .int2(kind)] + more)
    case .organizers:
      try connection.query(
        "SELECT tell_race($1, $2, '{organizers}', jsonb_object($3::text[], $4::text[]))",
        [.int8(race), .int2(kind)] + more)
    }
  }
}
