package import BenchKit
internal import Domain
internal import Postgres
internal import RacesRules

/// A race that runs, with runners who are present and persons who may watch, by SQL.
package final class RaceTown {
  /// Streams that an account may have open are a few more.
  package static let streamsPerSpectator = 50

  package let race: Int64
  /// The first runner's number; the others follow.
  package let firstRunner: Int64
  /// Tokens of those who watch.
  package let tokens: [String]
  private let connection: Connection

  package init(_ server: MeasuredServer, runners: Int, spectators: Int) throws {
    connection = try Connection(server.database)
    let watching = max(1, (spectators + Self.streamsPerSpectator - 1) / Self.streamsPerSpectator)
    try connection.execute(
      """
      INSERT INTO account (kind, username, email, display_name)
      SELECT 'person', 'bench-' || n, 'bench-' || n || '@example.org', 'Bench' FROM generate_series(1, \(runners + watching)) n
      """)
    let ids = try connection.query("SELECT min(id), max(id) FROM account WHERE kind = 'person'")
    firstRunner = try ids.int64(0, 0)
    let last = try ids.int64(0, 1)
    try check(last - firstRunner + 1 == Int64(runners + watching), "the persons' numbers have gaps")
    let secret = String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
    tokens = (0..<watching).map { "bench-\(secret)-\($0)" }
    for (number, token) in tokens.enumerated() {
      try connection.query(
        """
        INSERT INTO access_token (token_sha256, person, expires_at)
        VALUES (sha256($1::bytea), $2, now() + interval '1 day')
        """,
        [.bytea(Array(token.utf8)), .int8(firstRunner + Int64(runners + number))])
    }
    let course = RunnersCourse.course
    let planned = try connection.query(
      """
      INSERT INTO course (planned_by, source, latitudes, longitudes, altitudes, start_name, start_at, arrival_name,
        arrival_at, stage_names, stage_latitudes, stage_longitudes, stage_distances, length_m, attribution)
      VALUES ($1, 3, $2, $3, '{}', 'Start', ST_MakePoint($4, $5)::geography, 'Arrival', ST_MakePoint($6, $7)::geography,
        '{}', '{}', '{}', '{}', $8, '') RETURNING id::text
      """,
      [
        .int8(last), .float8Array(course.latitudes), .float8Array(course.longitudes), .float8(course.longitudes[0]),
        .float8(course.latitudes[0]), .float8(course.longitudes[course.longitudes.count - 1]),
        .float8(course.latitudes[course.latitudes.count - 1]), .float8(course.length),
      ]
    ).string(0, 0)
    race = try connection.query(
      """
      WITH made AS (
        INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at, time_limit_us,
          is_opened, by_invitation, capacity)
        VALUES ($1, 'Bench', '', '', $2::text::uuid, now() - interval '5 seconds', now() - interval '1 hour',
          14400000000, true, false, 20000) RETURNING id
      ), managed AS (INSERT INTO race_organizer (race, account) SELECT id, $1 FROM made)
      SELECT id FROM made
      """, [.int8(last), .text(planned)]
    ).int64(0, 0)
    try connection.query(
      """
      INSERT INTO race_enrolment (race, person, state, number, runner_name)
      SELECT $1, $2 + n, 3, n + 1, 'Runner ' || (n + 1) FROM generate_series(0, $3::bigint - 1) n
      """, [.int8(race), .int8(firstRunner), .int8(Int64(runners))])
    // As the log's writer of another server would do it.
    try connection.inTransaction { connection in
      try connection.query("SELECT pg_advisory_xact_lock($1)", [.int8(0x7472_6163_6b6d_6501)])
      let entry = try connection.query(
        """
        SELECT change_race(1, 0, $1, 1::smallint, $2, $3, 0, '', now(), '{4}')
        """,
        [.int8(race), .int8Array((0..<Int64(runners)).map { firstRunner + $0 }), .int8(last)])
      try check(!entry.isNull(0, 0), "the runners could not be marked present")
    }
  }
}

/// The way of the runners: some ten kilometres with bends.
enum RunnersCourse {
  static let course: Course = {
    let steps = 0...400
    let latitudes = steps.map { 45.4 + Double($0) * 0.000_2 }
    let longitudes = steps.map { 9.1 + 0.001 * Double($0 % 40 < 20 ? $0 % 20 : 20 - $0 % 20) / 10 }
    let start = Place(latitude: latitudes[0], longitude: longitudes[0])
    let arrival = Place(latitude: latitudes[latitudes.count - 1], longitude: longitudes[longitudes.count - 1])
    guard
      let course = try? Course(
        source: .straight, latitudes: latitudes, longitudes: longitudes, start: start, arrival: arrival)
    else { preconditionFailure("the course is none") }
    return course
  }()
}
