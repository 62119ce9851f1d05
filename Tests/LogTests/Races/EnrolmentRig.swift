import Domain
import Postgres
import RacesRules
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races
@testable import Sharing
@testable import Sos

/// Races and persons straight in the database, and what became of them.
extension Rig {
  /// The time of these tests.
  static let now: Microseconds = 1_790_000_000_000_000
  static let day: Microseconds = 86_400 * 1_000_000

  var enrolments: Enrolments { storage.enrolments }

  /// Returns when so many wait for a lock.
  func waiting(_ count: Int64) async throws {
    let watch = try connection()
    try await eventually {
      try watch.query(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'", []
      ).int64(0, 0) == count
    }
  }

  /// A race whose enrolment is open for a day, unless its dates are others.
  func race(
    capacity: Int32 = 1, fee: Int64? = nil, deadline: Microseconds = Rig.now + Rig.day,
    starts: Microseconds = Rig.now + 2 * Rig.day, isOpened: Bool = true, link: [UInt8]? = nil
  ) async throws -> RaceID {
    let organizer = try await persons(1)[0]
    return try await pool.withConnection { connection in
      let course = try connection.query(
        """
        INSERT INTO course (planned_by, source, latitudes, longitudes, altitudes, start_name, start_at, arrival_name,
          arrival_at, stage_names, stage_latitudes, stage_longitudes, stage_distances, length_m, attribution)
        VALUES ($1, 3, '{45.47,45.48}', '{9.17,9.17}', '{}', '', ST_MakePoint(9.17, 45.47)::geography, '',
          ST_MakePoint(9.17, 45.48)::geography, '{}', '{}', '{}', '{}', 1111.5, '') RETURNING id::text
        """, [.int8(organizer)]
      ).string(0, 0)
      let race = try connection.query(
        """
        INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at,
          time_limit_us, is_opened, by_invitation, invitation_sha256, capacity, fee_minor_units, fee_currency)
        VALUES ($1, 'Corsa', '', 'Milano', $2::text::uuid, $3, $4, 21600000000, $5, $6, $7, $8, $9,
          CASE WHEN $9::bigint IS NOT NULL THEN 'EUR' END) RETURNING id
        """,
        [
          .int8(organizer), .text(course), .timestamptz(microsecondsSinceUnixEpoch: starts),
          .timestamptz(microsecondsSinceUnixEpoch: deadline), .bool(isOpened), .bool(link != nil),
          link.map { .bytea($0) } ?? .null(TypeOID.bytea), .int4(capacity),
          fee.map { .int8($0) } ?? .null(TypeOID.int8),
        ]
      ).int64(0, 0)
      try connection.query(
        "INSERT INTO race_organizer (race, account) VALUES ($1, $2)", [.int8(race), .int8(organizer)])
      return race
    }
  }

  /// Persons with accounts and mail addresses, in the order of their numbers.
  func persons(_ count: Int) async throws -> [PersonID] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        WITH made AS (
          INSERT INTO account (kind, username, email, display_name)
          SELECT 'person', n.name, n.name || '@example.org', 'Ada Rossi'
          FROM (SELECT 'p' || i || '-' || gen_random_uuid() AS name FROM generate_series(1, $1) i) n RETURNING id
        ) SELECT id FROM made ORDER BY id
        """, [.int8(Int64(count))])
      return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
    }
  }

  @discardableResult
  func enrol(_ person: PersonID, in race: RaceID, at now: Microseconds = Rig.now) async throws -> EnrolmentRecord {
    try await enrolments.enrol(person, in: race, name: "", link: nil, canPay: true, at: now)
  }

  func state(_ person: PersonID, in race: RaceID) async throws -> EnrolmentState? {
    try await enrolments.enrolment(of: person, in: race)?.state
  }

  /// What the provider would tell.
  @discardableResult
  func told(
    _ state: PaymentState, of payment: String?, fee: Int64 = 1_500, currency: String = "EUR", as id: String? = nil,
    at now: Microseconds = Rig.now
  ) async throws -> PaymentStore.Settlement {
    let payment = payment ?? ""
    return try await payments.settle(
      payment, as: id ?? "pay_\(payment)", state, money: Money(currency: currency, minorUnits: fee), at: now)
  }

  /// The state of a payment, and what is wished of the provider: 0 nothing, 1 create, 2 capture, 3 cancel, 4 refund.
  func payment(_ payment: String?) throws -> [Int64] {
    let row = try connection().query(
      "SELECT state, wish FROM payment WHERE id = $1::text::uuid", [.text(payment ?? "")])
    return [try row.int64(0, 0), try row.int64(0, 1)]
  }

  /// Tells everybody what is still to be told.
  func tellEverybody() async throws { while try await storage.raceNotices.workOff() {} }

  /// The kinds of a person's notifications, in their order.
  func news(_ person: PersonID) throws -> [Int64] {
    let rows = try connection().query("SELECT kind FROM notification WHERE account = $1 ORDER BY id", [.int8(person)])
    return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
  }

  /// Places that are taken, persons who wait: as counted, and as the race says.
  func places(of race: RaceID) throws -> [Int64] {
    let row = try connection().query(
      """
      SELECT count(*) FILTER (WHERE state IN (2, 3)), count(*) FILTER (WHERE state = 1),
        (SELECT taken_count FROM race WHERE id = $1), (SELECT waiting_count FROM race WHERE id = $1)
      FROM race_enrolment WHERE race = $1
      """, [.int8(race)])
    return try (0..<4).map { try row.int64(0, $0) }
  }
}
