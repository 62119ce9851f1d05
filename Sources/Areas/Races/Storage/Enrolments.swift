public import Domain
public import Log
public import Postgres
public import RacesRules

/// Places in races. There are never more of them than the race's capacity, whoever asks and however many at once: each
/// change of places locks its race.
public struct Enrolments: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Why a wish about an enrolment was not carried out.
  public enum Refusal: Error, Sendable, Equatable {
    /// There is no race of this number that the person may know of.
    case noRace
    /// The person is not enrolled and was not.
    case notEnrolled
    /// The race is in a state that does not allow it.
    case state(RaceState)
    /// The person may know of the race, and is not invited or gave another link.
    case notInvited
    /// The race has a fee, and there is nobody to pay to.
    case noPaymentProvider
    /// There is no such account, or it has ended.
    case noAccount
    /// The leaderboard depends on it, so it has to be an entry of the log: see `RaceDecisions`.
    case needsDecision(RaceState)
  }

  /// Takes a place, or one on the waiting list; who has one keeps it.
  ///
  /// - Parameters:
  ///   - name: as spectators see it, at most 60 characters; empty: the account's.
  ///   - link: SHA-256 of the private link's secret; nil without one.
  ///   - canPay: whether there is a payment provider.
  /// - Returns: the enrolment after it; with a fee it awaits payment.
  /// - Throws: `Refusal`, `PostgresError`.
  public func enrol(
    _ person: PersonID, in race: RaceID, name: String, link: [UInt8]?, canPay: Bool, at now: Microseconds
  ) async throws -> EnrolmentRecord {
    try await pool.withConnection { connection in
      let outcome = try connection.query(
        "SELECT enrol_runner($1, $2, $3, $4, $5, $6, \(PlaceRow.sql(from: 7)))::integer",
        [
          .int8(race), .int8(person), .text(name), link.map { .bytea($0) } ?? .null(TypeOID.bytea), .bool(canPay),
          .timestamptz(microsecondsSinceUnixEpoch: now),
        ] + PlaceRow.parameters)
      return try Self.after(try outcome.int32(0, 0), person, race, now, connection)
    }
  }

  /// Gives a place back. With a fee it is paid back, or not taken. Who has none keeps none.
  /// - Throws: `Refusal`, `PostgresError`.
  public func withdraw(_ person: PersonID, from race: RaceID, at now: Microseconds) async throws -> EnrolmentRecord {
    try await pool.withConnection { connection in
      let outcome = try connection.query(
        "SELECT withdraw_runner($1, $2, $3, \(PlaceRow.sql(from: 4)))::integer",
        [.int8(race), .int8(person), .timestamptz(microsecondsSinceUnixEpoch: now)] + PlaceRow.parameters)
      let number = try outcome.int32(0, 0)
      if number == 1 { throw Refusal.notEnrolled }
      return try Self.after(number, person, race, now, connection)
    }
  }

  /// A person's enrolment, also one that was given back; nil if there was none.
  /// - Throws: `PostgresError`.
  public func enrolment(of person: PersonID, in race: RaceID) async throws -> EnrolmentRecord? {
    try await pool.withConnection { try Self.find(person, race, $0) }
  }

  /// The enrolments of a race by number, then those without one by the order of the waiting list.
  ///
  /// - Parameters:
  ///   - states: that are wanted; all if empty.
  ///   - place: of the last one before, as `EnrolmentPlace` says; nil from the beginning.
  /// - Throws: `PostgresError`.
  public func list(
    of race: RaceID, states: [EnrolmentState], after place: EnrolmentPlace?, limit: Int
  ) async throws -> [EnrolmentRecord] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT \(EnrolmentRecord.columns) FROM (SELECT *, 0 AS position FROM race_enrolment) e \(EnrolmentRecord.joins)
        WHERE e.race = $1 AND (cardinality($2::smallint[]) = 0 OR e.state = ANY ($2))
          AND (e.number IS NULL, coalesce(e.number, e.queue_place)) > ($3, $4)
        ORDER BY e.number IS NULL, coalesce(e.number, e.queue_place) LIMIT $5
        """,
        [
          .int8(race), .int2Array(states.map(\.rawValue)), .bool(place?.isWithoutNumber ?? false),
          .int8(place?.value ?? .min), .int8(Int64(limit)),
        ])
      var records = try (0..<rows.rowCount).map { try EnrolmentRecord(rows, $0) }
      // The first who waits is looked up on the list, the others follow.
      guard let first = records.firstIndex(where: { $0.state == .waiting }) else { return records }
      var position = try Self.find(records[first].person, race, connection)?.waitingPosition ?? 0
      for index in records.indices[first...] where records[index].state == .waiting {
        records[index].waitingPosition = position
        position += 1
      }
      return records
    }
  }

  /// Ends the holds that were not paid for in time, and gives free places to those who wait.
  ///
  /// - Returns: how many places have changed hands; 0: there is nothing to do now.
  /// - Throws: `PostgresError`.
  @discardableResult
  public func lookAfterPlaces(at now: Microseconds) async throws -> Int {
    let time = Parameter.timestamptz(microsecondsSinceUnixEpoch: now)
    // Each in a transaction of its own: a race is locked for a moment only.
    let ended = try await pairs(
      "SELECT race, person FROM race_enrolment WHERE state = \(EnrolmentState.awaitingPayment.sql) AND held_until <= $1 ORDER BY held_until LIMIT 200",
      [time])
    for (race, person) in ended {
      try await call(
        "SELECT expire_hold($1, $2, $3, \(PlaceRow.sql(from: 4)))::integer",
        [.int8(race), .int8(person), time] + PlaceRow.parameters)
    }
    let free = try await pairs(
      """
      SELECT id, 0::bigint FROM race r
      WHERE waiting_count > 0 AND taken_count < capacity AND race_state(r, $1) = ANY ($2) LIMIT 100
      """, [time, .int2Array(PlaceRules.enrolling.map(\.rawValue))])
    var filled = 0
    for (race, _) in free {
      filled += try await call(
        "SELECT fill_free_places($1, $2, \(PlaceRow.sql(from: 3)))", [.int8(race), time] + PlaceRow.parameters)
    }
    return ended.count + filled
  }

  private func pairs(_ sql: String, _ parameters: [Parameter]) async throws -> [(Int64, Int64)] {
    try await pool.withConnection { connection in
      let rows = try connection.repeatedQuery(sql, parameters)
      return try (0..<rows.rowCount).map { (try rows.int64($0, 0), try rows.int64($0, 1)) }
    }
  }

  @discardableResult
  private func call(_ sql: String, _ parameters: [Parameter]) async throws -> Int {
    try await pool.withConnection { Int(try $0.query(sql, parameters).int32(0, 0)) }
  }

  private static func find(_ person: PersonID, _ race: RaceID, _ connection: Connection) throws -> EnrolmentRecord? {
    let rows = try connection.query(
      """
      SELECT \(EnrolmentRecord.columns) FROM (
        SELECT *, \(EnrolmentRecord.position) FROM race_enrolment e WHERE race = $1 AND person = $2) e
      \(EnrolmentRecord.joins)
      """, [.int8(race), .int8(person)])
    return rows.rowCount == 0 ? nil : try EnrolmentRecord(rows, 0)
  }

  /// What an outcome of the functions in `PlaceRulesSQL` means.
  private static func after(
    _ outcome: Int32, _ person: PersonID, _ race: RaceID, _ now: Microseconds, _ connection: Connection
  ) throws -> EnrolmentRecord {
    switch outcome {
    case 0:
      guard let record = try find(person, race, connection) else { throw Refusal.notEnrolled }
      return record
    case 2:
      let state = try state(of: race, at: now, connection)
      // Nobody enrols or leaves who does not see it.
      throw state == .disabled ? Refusal.noRace : Refusal.state(state)
    case 3: throw Refusal.notInvited
    case 4: throw Refusal.noPaymentProvider
    case 5: throw Refusal.noAccount
    case 6: throw Refusal.needsDecision(try state(of: race, at: now, connection))
    default: throw Refusal.noRace
    }
  }

  private static func state(of race: RaceID, at now: Microseconds, _ connection: Connection) throws -> RaceState {
    let rows = try connection.query(
      "SELECT race_state(r, $2)::integer FROM race r WHERE id = $1",
      [.int8(race), .timestamptz(microsecondsSinceUnixEpoch: now)])
    return RaceState(rawValue: Int16(truncatingIfNeeded: try rows.int32(0, 0))) ?? .cancelled
  }
}

/// A place in the list of a race's enrolments.
public struct EnrolmentPlace: Sendable, Hashable {
  public let isWithoutNumber: Bool
  /// The number, or the place in the order of the waiting list.
  public let value: Int64

  public init(isWithoutNumber: Bool, value: Int64) {
    self.isWithoutNumber = isWithoutNumber
    self.value = value
  }

  public init(of record: EnrolmentRecord) {
    self.init(isWithoutNumber: record.number == 0, value: record.number == 0 ? record.queuePlace : Int64(record.number))
  }
}

extension StorageSystem {
  /// Places in races.
  public var enrolments: Enrolments { Enrolments(pool: pool) }
}
