public import Domain
internal import Identity
public import Log
public import Postgres
public import RacesRules

/// Races as their organisers planned them: reading and creating here, changes in extensions. What concerns runners and
/// running races is in `RaceDecisions`.
public struct RaceStore: Sendable {
  /// Races that a person organises and that are not over.
  public static let maxRaces = 100
  /// Organisers of a race.
  public static let maxOrganizers = 50

  let pool: Pool
  let writer: LogWriter

  public init(pool: Pool, writer: LogWriter) {
    self.pool = pool
    self.writer = writer
  }

  /// A race; nil if there is none of this number.
  /// - Throws: `PostgresError`.
  public func race(_ id: RaceID) async throws -> RaceRecord? {
    try await pool.withConnection { try RaceRows.read($0, "WHERE r.id = $1", [.int8(id)]).first }
  }

  /// What an account is to a race.
  /// - Parameter invitation: SHA-256 of the private link's secret, 32 bytes; nil without one.
  /// - Throws: `PostgresError`.
  public func role(of account: AccountID, in race: RaceID, invitation: [UInt8]? = nil) async throws -> RaceRoles {
    try await pool.withConnection { connection in
      let row = try connection.query(
        """
        SELECT EXISTS (SELECT FROM race_organizer WHERE race = $1 AND account = $2),
          EXISTS (SELECT FROM race_observer WHERE race = $1 AND account = $2),
          EXISTS (SELECT FROM race_invitation i JOIN race r ON r.id = i.race
            WHERE i.race = $1 AND i.person = $2 AND r.invitation_sha256 = $3),
          (SELECT state::integer FROM race_enrolment WHERE race = $1 AND person = $2)
        """, [.int8(race), .int8(account), invitation.map { .bytea($0) } ?? .null(TypeOID.bytea)])
      return RaceRoles(
        isOrganizer: try row.bool(0, 0), isObserver: try row.bool(0, 1), isInvited: try row.bool(0, 2),
        enrolment: row.isNull(0, 3) ? nil : Int16(truncatingIfNeeded: try row.int32(0, 3)))
    }
  }

  /// The enrolled runners of a race, by number.
  /// - Throws: `PostgresError`.
  public func runners(of race: RaceID) async throws -> [RaceRunner] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT person, number, runner_name FROM race_enrolment WHERE race = $1 AND state = \(EnrolmentState.enrolled.sql) ORDER BY number",
        [.int8(race)])
      return try (0..<rows.rowCount).map { row in
        RaceRunner(
          person: try rows.int64(row, 0), number: try rows.int32(row, 1), name: try rows.string(row, 2))
      }
    }
  }

  /// What came of a wish to create a race.
  public enum Creation: Sendable, Equatable {
    case created(RaceID)
    /// The same request made this race before.
    case repeated(RaceID)
    /// There is no route of this number that the person planned a day ago or later.
    case noRoute
    /// The person organises as many races as there may be.
    case tooMany
    /// The person has no account.
    case noAccount
  }

  /// Creates a draft with one organiser.
  ///
  /// - Parameters:
  ///   - requestID: of the person's choice; the same again creates nothing.
  ///   - now: by which races are over or not, and routes too old.
  /// - Throws: `PostgresError`.
  public func create(
    _ plan: RacePlan, by person: PersonID, requestID: String?, at now: Microseconds
  ) async throws -> Creation {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Of one person's wishes one comes after the other, so that the limit holds and a request is done once.
        guard
          try connection.query(
            "SELECT FROM account WHERE id = $1 AND state = 'active' FOR NO KEY UPDATE", [.int8(person)]
          ).rowCount == 1
        else { return .noAccount }
        if let requestID, let known = try Self.created(connection, by: person, requestID) { return .repeated(known) }
        guard try Self.isRoute(connection, plan.courseID, of: person, at: now) else { return .noRoute }
        guard try Self.current(connection, of: person, at: now) < Self.maxRaces else { return .tooMany }
        let race = try connection.query(
          """
          WITH made AS (
            INSERT INTO race (created_by, request_id, name, description, place_name, course, starts_at,
              enrolment_ends_at, time_limit_us, by_invitation, capacity, fee_minor_units, fee_currency)
            VALUES ($11, $12, $1, $2, $3, $4::text::uuid, $5, $6, $7, $8, $9, $10, $13) RETURNING id
          ), organizer AS (INSERT INTO race_organizer (race, account) SELECT id, $11 FROM made)
          SELECT id FROM made
          """,
          plan.parameters + [
            .int8(person), requestID.map { .text($0) } ?? .null(TypeOID.text),
            plan.fee.map { .text($0.currency) } ?? .null(TypeOID.text),
          ])
        return .created(try race.int64(0, 0))
      }
    }
  }

  /// The race that a request made; nil if it made none.
  /// - Throws: `PostgresError`.
  public func created(by person: PersonID, requestID: String) async throws -> RaceID? {
    try await pool.withConnection { try Self.created($0, by: person, requestID) }
  }

  private static func created(
    _ connection: Connection, by person: PersonID, _ requestID: String
  ) throws -> RaceID? {
    let rows = try connection.query(
      "SELECT id FROM race WHERE created_by = $1 AND request_id = $2", [.int8(person), .text(requestID)])
    return rows.rowCount == 1 ? try rows.int64(0, 0) : nil
  }

  /// Whether a person planned a route in the last `Course.routeLasts`.
  static func isRoute(
    _ connection: Connection, _ course: String, of person: PersonID, at now: Microseconds
  ) throws -> Bool {
    try connection.query(
      """
      SELECT FROM course WHERE id = $1::text::uuid AND planned_by = $2 AND planned_at > $3
      FOR KEY SHARE
      """, [.text(course), .int8(person), .timestamptz(microsecondsSinceUnixEpoch: now - Course.routeLasts)]
    ).rowCount == 1
  }

  /// How many races a person organises that are not over: they can be cancelled.
  static func current(_ connection: Connection, of person: PersonID, at now: Microseconds) throws -> Int {
    let rows = try connection.query(
      """
      SELECT count(*) FROM race_organizer o JOIN race r ON r.id = o.race
      WHERE o.account = $1 AND race_state(r, $2) = ANY ($3)
      """,
      [
        .int8(person), .timestamptz(microsecondsSinceUnixEpoch: now),
        .int2Array(RaceState.allowing(.cancel).map(\.rawValue)),
      ])
    return Int(try rows.int64(0, 0))
  }
}

extension RacePlan {
  /// Name, description, place, course, start, deadline, time limit, entry, capacity and the fee's amount: $1 to $10.
  var parameters: [Parameter] {
    [
      .text(name), .text(description), .text(placeName), .text(courseID),
      .timestamptz(microsecondsSinceUnixEpoch: schedule.starts),
      .timestamptz(microsecondsSinceUnixEpoch: schedule.enrolmentEnds), .int8(schedule.timeLimit),
      .bool(byInvitation), .int4(capacity), fee.map { .int8($0.minorUnits) } ?? .null(TypeOID.int8),
    ]
  }
}

extension StorageSystem {
  /// Races.
  public var races: RaceStore { RaceStore(pool: pool, writer: writer) }
}
