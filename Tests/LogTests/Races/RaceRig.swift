import Domain
import Postgres
import RacesRules
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Sharing
@testable import Sos

/// Storage with what tests of races need in the database.
struct RaceRig: Sendable {
  let rig: Rig
  var storage: StorageSystem { rig.storage }

  func connection() throws -> Connection { try rig.connection() }

  static let now: Microseconds = 1_700_000_000_000_000
  static let hour: Microseconds = 3_600_000_000

  /// New persons with active accounts, addresses and passwords.
  func persons(_ count: Int) throws -> [PersonID] {
    let rows = try connection().query(
      """
      INSERT INTO account (kind, username, email, password_hash, display_name)
      SELECT 'person', 'runner-' || n, 'runner-' || n || '@example.org', 'hash', 'Runner ' || n
      FROM generate_series((SELECT count(*) + 1 FROM account), (SELECT count(*) FROM account) + $1) n RETURNING id
      """, [.int8(Int64(count))])
    return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
  }

  func route(of person: PersonID, latitude: Double = 45.47, longitude: Double = 9.17) async throws -> String {
    let course = try Course(
      source: .straight, latitudes: [latitude, latitude + 0.01], longitudes: [longitude, longitude],
      start: Place(latitude: latitude, longitude: longitude),
      arrival: Place(latitude: latitude + 0.01, longitude: longitude))
    return try #require(try await storage.courses.insert(course, plannedBy: person))
  }

  /// A race that begins in two hours; its enrolment ends in one.
  func race(
    by person: PersonID, name: String = "Corsa", place: String = "Milano", starts: Microseconds = now + 2 * hour,
    latitude: Double = 45.47, longitude: Double = 9.17, opened: Bool = true, byInvitation: Bool = false
  ) async throws -> RaceID {
    let plan = RacePlan(
      name: name, placeName: place,
      schedule: RaceSchedule(starts: starts, enrolmentEnds: starts - Self.hour, timeLimit: 6 * Self.hour),
      byInvitation: byInvitation, courseID: try await route(of: person, latitude: latitude, longitude: longitude))
    guard case .created(let race) = try await storage.races.create(plan, by: person, requestID: nil, at: Self.now)
    else { throw NoRace() }
    if opened { #expect(try await storage.races.open(try #require(try await storage.races.race(race)))) }
    return race
  }

  struct NoRace: Error {}

  /// Enrols persons with the numbers from 1 on.
  func enrol(_ persons: [PersonID], in race: RaceID, state: Int16 = 3) throws {
    try connection().query(
      """
      INSERT INTO race_enrolment (race, person, state, number, runner_name, changed_at)
      SELECT $1, p, $3, CASE $3 WHEN 3 THEN place END, 'Runner ' || place, $4
      FROM unnest($2::bigint[]) WITH ORDINALITY u (p, place)
      """,
      [
        .int8(race), .int8Array(persons), .int2(state), .timestamptz(microsecondsSinceUnixEpoch: Self.now - Self.hour),
      ])
  }

  /// How many entries of a kind an account has in its inbox.
  func told(_ account: AccountID, _ kind: Int16) throws -> Int64 {
    try connection().query(
      "SELECT count(*) FROM notification WHERE account = $1 AND kind = $2", [.int8(account), .int2(kind)]
    ).int64(0, 0)
  }
}

/// Opens storage over a fresh database for the length of `body`.
func withRaces(_ name: String = #function, _ body: (RaceRig) async throws -> Void) async throws {
  try await withStorage(name) { try await body(RaceRig(rig: $0)) }
}
