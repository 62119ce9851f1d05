public import Domain
internal import Postgres
public import RacesRules

/// What an account is to the races of a list.
public enum RaceListRole: Int32, Sendable, Hashable, CaseIterable {
  case any = 0
  case organizer = 1
  /// Enrolled, awaits payment or waits.
  case runner = 2
  case observer = 3

  /// Of race `r` and the account $1.
  fileprivate var condition: String {
    let organizer = "EXISTS (SELECT FROM race_organizer x WHERE x.race = r.id AND x.account = $1)"
    let runner = "EXISTS (SELECT FROM race_enrolment x WHERE x.race = r.id AND x.person = $1 AND x.state <= 3)"
    let observer = "EXISTS (SELECT FROM race_observer x WHERE x.race = r.id AND x.account = $1)"
    return switch self {
    case .any: "(\(organizer) OR \(runner) OR \(observer))"
    case .organizer: organizer
    case .runner: runner
    case .observer: observer
    }
  }
}

/// Where in a list a page begins: after this race.
public struct RacePlace: Sendable, Hashable {
  /// What the list is in the order of.
  public let key: Int64
  public let race: RaceID

  public init(key: Int64, race: RaceID) {
    self.key = key
    self.race = race
  }
}

/// What races are sought by.
public struct RaceQuery: Sendable, Hashable {
  /// Around a place.
  public struct Circle: Sendable, Hashable {
    public let centre: Place
    /// Metres.
    public let radius: Double

    public init(centre: Place, radius: Double) {
      self.centre = centre
      self.radius = radius
    }
  }

  /// Where they start; nil: anywhere.
  public var near: Circle?
  /// In name or place, with typing errors; may be empty.
  public var text: String
  /// When they start.
  public var time: Range<Microseconds>
  /// Races that are under way then are found as well, if they started before the end of `time`; nil: those that are not in
  /// `time` are not.
  public var runningAt: Microseconds?

  public init(near: Circle? = nil, text: String = "", time: Range<Microseconds>, runningAt: Microseconds? = nil) {
    self.near = near
    self.text = text
    self.time = time
    self.runningAt = runningAt
  }
}

/// A race that was found.
public struct FoundRace: Sendable, Hashable {
  public let race: RaceRecord
  /// Where the next page begins if this is the last race of one.
  public let place: RacePlace
  /// Metres along the ground to the start; nil where no place was given.
  public let distance: Double?
}

extension RaceStore {
  /// Races of a person by their start, newest first, and those of one moment by their numbers. Disabled ones only if the
  /// person organises them.
  ///
  /// - Parameter place: only what comes after it; nil for the first page.
  /// - Throws: `PostgresError`.
  public func list(
    of person: PersonID, role: RaceListRole, after place: RacePlace?, limit: Int
  ) async throws -> [RaceRecord] {
    try await pool.withConnection { connection in
      try RaceRows.read(
        connection,
        """
        WHERE r.id IN (
          SELECT race FROM race_organizer WHERE account = $1 UNION SELECT race FROM race_enrolment WHERE person = $1
          UNION SELECT race FROM race_observer WHERE account = $1
        ) AND \(role.condition) AND (NOT r.is_disabled OR \(RaceListRole.organizer.condition)) AND ($3 = 0 OR (r.starts_at, r.id) < ($2, $3))
        ORDER BY r.starts_at DESC, r.id DESC LIMIT $4
        """,
        [
          .int8(person), .timestamptz(microsecondsSinceUnixEpoch: place?.key ?? 0), .int8(place?.race ?? 0),
          .int8(Int64(limit)),
        ])
    }
  }

  /// How alike a word must be, 0 to 1: half of its groups of three letters may be others.
  private static let similarity = "0.45"

  /// Races that everyone may enrol in and that are neither cancelled nor disabled: by distance where a place is given, else the best
  /// match first where a text is, else by start.
  ///
  /// - Parameter place: only what comes after it; nil for the first page.
  /// - Throws: `PostgresError`.
  public func search(_ query: RaceQuery, after place: RacePlace?, limit: Int) async throws -> [FoundRace] {
    let here = "ST_SetSRID(ST_MakePoint($1, $2), 4326)::geography"
    let key =
      query.near != nil
      ? "(ST_Distance(c.start_at, \(here)) * 1000)::bigint"
      : query.text.isEmpty
        ? "(extract(epoch FROM r.starts_at) * 1000000)::bigint"
        : "-(word_similarity($4, r.name || ' ' || r.place_name) * 1000000)::bigint"
    let conditions = [
      "r.is_opened AND NOT r.by_invitation AND NOT r.is_disabled AND r.cancelled_at IS NULL",
      query.runningAt == nil
        ? "r.starts_at >= $5 AND r.starts_at < $6 AND $10::timestamptz IS NOT NULL"
        : "r.starts_at < $6 AND (r.starts_at >= $5 OR r.starts_at > $10 - interval '48 hours' "
          + "AND race_state(r, $10) = \(RaceState.running.rawValue))",
      query.near == nil ? "$1 = 0 AND $2 = 0 AND $3 = 0" : "ST_DWithin(c.start_at, \(here), $3)",
      query.text.isEmpty ? "$4 = ''" : "$4 <% (r.name || ' ' || r.place_name)",
    ]
    return try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        try connection.query(
          "SELECT set_config('pg_trgm.word_similarity_threshold', $1, true)", [.text(Self.similarity)])
        let rows = try connection.query(
          """
          WITH found AS (
            SELECT r.id, \(key) AS key FROM race r JOIN course c ON c.id = r.course
            WHERE \(conditions.joined(separator: " AND "))
          ), page AS MATERIALIZED (
            SELECT id, key FROM found WHERE $8 = 0 OR (key, id) > ($7, $8) ORDER BY key, id LIMIT $9
          )
          SELECT \(RaceRows.columns), g.key FROM page g JOIN race r ON r.id = g.id \(RaceRows.joins)
          ORDER BY g.key, g.id
          """,
          [
            .float8(query.near?.centre.longitude ?? 0), .float8(query.near?.centre.latitude ?? 0),
            .float8(query.near?.radius ?? 0), .text(query.text),
            .timestamptz(microsecondsSinceUnixEpoch: query.time.lowerBound),
            .timestamptz(microsecondsSinceUnixEpoch: query.time.upperBound), .int8(place?.key ?? 0),
            .int8(place?.race ?? 0), .int8(Int64(limit)),
            .timestamptz(microsecondsSinceUnixEpoch: query.runningAt ?? 0),
          ])
        return try (0..<rows.rowCount).map { row in
          let race = try RaceRows.record(rows, row)
          let key = try rows.int64(row, RaceRows.columnCount)
          return FoundRace(
            race: race, place: RacePlace(key: key, race: race.id),
            distance: query.near == nil ? nil : Double(key) / 1_000)
        }
      }
    }
  }
}
