public import Domain
internal import Postgres
public import RacesRules

// Who organises a race and who observes it.

extension RaceStore {
  /// What came of a wish to change who organises a race.
  public enum OrganizerChange: Sendable, Equatable {
    case done
    /// It was so before.
    case unchanged
    /// No active person has this username.
    case noPerson
    /// The race has as many organisers as there may be.
    case tooManyOrganizers
    /// The person organises as many races as there may be.
    case tooManyRaces
    /// Nobody would be left.
    case last
  }

  /// Lets another person manage a race, and tells that person.
  /// - Throws: `PostgresError`.
  public func addOrganizer(
    _ username: String, to race: RaceID, at now: Microseconds
  ) async throws -> OrganizerChange {
    // The person's races are counted, so the person comes first: as in `create`, one wish after the other, and before the
    // race, as in an enrolment.
    try await changeOrganizers(of: race, holding: username) { connection in
      guard let person = try Self.person(connection, username) else { return .noPerson }
      // What one person gets to organise, here and by creating it, comes one after the other: so the limit holds.
      try connection.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [.int8(person)])
      let organizers = try Self.organizers(connection, of: race)
      if organizers.contains(person) { return .unchanged }
      guard organizers.count < Self.maxOrganizers else { return .tooManyOrganizers }
      guard try Self.current(connection, of: person, at: now) < Self.maxRaces else { return .tooManyRaces }
      try connection.query(
        "INSERT INTO race_organizer (race, account) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [.int8(race), .int8(person)])
      try Self.notify(connection, race, .one(person), kind: 17)
      return .done
    }
  }

  /// Ends that a person manages a race, of whom one with an active account stays at least.
  /// - Throws: `PostgresError`.
  public func removeOrganizer(_ username: String, from race: RaceID) async throws -> OrganizerChange {
    try await changeOrganizers(of: race) { connection in
      let organizers = try Self.organizers(connection, of: race)
      guard let person = try Self.person(connection, username), organizers.contains(person) else { return .unchanged }
      guard organizers.count > 1 else { return .last }
      try connection.query(
        "DELETE FROM race_organizer WHERE race = $1 AND account = $2", [.int8(race), .int8(person)])
      return .done
    }
  }

  /// Changes of one race's organisers come one after the other.
  /// - Parameter username: of an account that nothing else changes meanwhile; nil for none.
  private func changeOrganizers(
    of race: RaceID, holding username: String? = nil,
    _ change: @escaping @Sendable (Connection) throws -> OrganizerChange
  ) async throws -> OrganizerChange {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        if let username {
          try connection.query(
            "SELECT FROM account WHERE lower(username) = lower($1) FOR NO KEY UPDATE", [.text(username)])
        }
        try connection.query("SELECT FROM race WHERE id = $1 FOR NO KEY UPDATE", [.int8(race)])
        let outcome = try change(connection)
        if outcome == .done { try connection.query("UPDATE race SET \(Self.touched) WHERE id = $1", [.int8(race)]) }
        return outcome
      }
    }
  }

  private static func person(_ connection: Connection, _ username: String) throws -> PersonID? {
    let rows = try connection.query(
      "SELECT id FROM account WHERE lower(username) = lower($1) AND kind = 'person' AND state = 'active' FOR KEY SHARE",
      [.text(username)])
    return rows.rowCount == 1 ? try rows.int64(0, 0) : nil
  }

  /// Those whose accounts are active.
  private static func organizers(_ connection: Connection, of race: RaceID) throws -> [AccountID] {
    let rows = try connection.query(
      """
      SELECT o.account FROM race_organizer o JOIN account a ON a.id = o.account AND a.state = 'active'
      WHERE o.race = $1
      """, [.int8(race)])
    return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
  }

  /// Puts a race on a person's list of observed ones, if it is not there.
  /// - Returns: false if the person has no active account.
  /// - Throws: `PostgresError`.
  public func observe(_ race: RaceID, by person: PersonID) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query(
        """
        WITH observer AS (SELECT id FROM account WHERE id = $2 AND state = 'active' FOR KEY SHARE), added AS (
          INSERT INTO race_observer (race, account) SELECT $1, id FROM observer ON CONFLICT DO NOTHING
        ) SELECT id FROM observer
        """, [.int8(race), .int8(person)]
      ).rowCount == 1
    }
  }

  /// Takes a race off that list, if it is there.
  /// - Throws: `PostgresError`.
  public func stopObserving(_ race: RaceID, by person: PersonID) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        "DELETE FROM race_observer WHERE race = $1 AND account = $2", [.int8(race), .int8(person)])
    }
  }
}
