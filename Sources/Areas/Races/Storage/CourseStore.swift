public import Domain
public import Log
public import Postgres
public import RacesRules

/// Courses: routes that were planned, and those that races took.
public struct CourseStore: Sendable {
  /// Whose course it is.
  public struct PlannedCourse: Sendable, Hashable {
    public let course: Course
    /// The account that planned it.
    public let planner: AccountID
    public let planned: Microseconds
  }

  let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Keeps a course.
  /// - Parameter planner: the account that may make a race of it.
  /// - Returns: its id, a UUID; nil where the planner has no account that is active.
  /// - Throws: `PostgresError`.
  public func insert(_ course: Course, plannedBy planner: AccountID) async throws -> String? {
    try await insert([course], plannedBy: planner)?.first
  }

  /// Keeps several courses, all of them or none.
  /// - Returns: their ids, in the same order; nil where the planner has no account that is active.
  /// - Throws: `PostgresError`.
  public func insert(_ courses: [Course], plannedBy planner: AccountID) async throws -> [String]? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let account = try connection.query(
          "SELECT FROM account WHERE id = $1 AND state = 'active' FOR KEY SHARE", [.int8(planner)])
        guard account.rowCount == 1 else { return nil }
        return try courses.map { course in
          try connection.query(Self.insertion, [.int8(planner)] + Self.parameters(course)).string(0, 0)
        }
      }
    }
  }

  /// The course of an id; nil if there is none, the text is no id, or what is stored is no course by the rules of today.
  /// - Throws: `PostgresError`.
  public func course(_ id: String) async throws -> Course? { try await planned(id)?.course }

  /// The same with who planned it and when.
  /// - Throws: `PostgresError`.
  public func planned(_ id: String) async throws -> PlannedCourse? {
    guard Self.isID(id) else { return nil }
    return try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT source, latitudes, longitudes, altitudes, start_name, ST_Y(start_at::geometry), ST_X(start_at::geometry),
          arrival_name, ST_Y(arrival_at::geometry), ST_X(arrival_at::geometry), stage_names, stage_latitudes,
          stage_longitudes, stage_distances, attribution, planned_by, planned_at
        FROM course WHERE id = $1::uuid
        """, [.text(id)])
      guard rows.rowCount == 1 else { return nil }
      do {
        return PlannedCourse(
          course: try Self.course(rows), planner: try rows.int64(0, 15), planned: try rows.timestamptz(0, 16))
      } catch is CourseError {
        // Lengths were measured otherwise when it was stored.
        return nil
      }
    }
  }

  /// Removes courses that were planned before a time and that no race has taken.
  /// - Returns: how many.
  /// - Throws: `PostgresError`.
  @discardableResult
  public func removeUnused(before time: Microseconds) async throws -> Int {
    try await pool.withConnection { connection in
      try connection.query(
        """
        DELETE FROM course c WHERE planned_at < $1 AND NOT EXISTS (SELECT FROM race r WHERE r.course = c.id)
        """, [.timestamptz(microsecondsSinceUnixEpoch: time)]
      ).affectedRows
    }
  }

  /// Whether a text is a UUID as `insert` returns it: PostgreSQL raises an error for others.
  static func isID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }
  }

  private static let insertion = """
    INSERT INTO course (planned_by, source, latitudes, longitudes, altitudes, start_name, start_at, arrival_name,
      arrival_at, stage_names, stage_latitudes, stage_longitudes, stage_distances, length_m, attribution)
    VALUES ($1, $2, $3, $4, $5, $6, ST_SetSRID(ST_MakePoint($7, $8), 4326)::geography, $9,
      ST_SetSRID(ST_MakePoint($10, $11), 4326)::geography, $12, $13, $14, $15, $16, $17)
    RETURNING id::text
    """

  private static func parameters(_ course: Course) -> [Parameter] {
    [
      .int2(course.source.rawValue), .float8Array(course.latitudes), .float8Array(course.longitudes),
      .float8Array(course.altitudes), .text(course.start.name), .float8(course.start.longitude),
      .float8(course.start.latitude), .text(course.arrival.name), .float8(course.arrival.longitude),
      .float8(course.arrival.latitude), .textArray(course.stages.map(\.place.name)),
      .float8Array(course.stages.map(\.place.latitude)), .float8Array(course.stages.map(\.place.longitude)),
      .float8Array(course.stages.map(\.distance)), .float8(course.length), .text(course.attribution),
    ]
  }

  private static func course(_ rows: Result) throws -> Course {
    guard let source = Course.Source(rawValue: Int16(truncatingIfNeeded: try rows.int64(0, 0))) else {
      throw PostgresError(.decoding, "a course of an unknown source")
    }
    let names = try rows.stringArray(0, 10)
    let latitudes = try rows.doubleArray(0, 11)
    let longitudes = try rows.doubleArray(0, 12)
    let distances = try rows.doubleArray(0, 13)
    guard latitudes.count == names.count, longitudes.count == names.count, distances.count == names.count else {
      throw PostgresError(.decoding, "stages of a course that differ in number")
    }
    return try Course(
      source: source, latitudes: try rows.doubleArray(0, 1), longitudes: try rows.doubleArray(0, 2),
      altitudes: try rows.doubleArray(0, 3),
      start: Place(latitude: try rows.double(0, 5), longitude: try rows.double(0, 6), name: try rows.string(0, 4)),
      arrival: Place(latitude: try rows.double(0, 8), longitude: try rows.double(0, 9), name: try rows.string(0, 7)),
      stages: names.indices.map { index in
        Course.Stage(
          place: Place(latitude: latitudes[index], longitude: longitudes[index], name: names[index]),
          distance: distances[index])
      }, attribution: try rows.string(0, 14))
  }
}

extension StorageSystem {
  public var courses: CourseStore { CourseStore(pool: pool) }
}
