public import Domain
internal import Postgres
public import RacesRules

/// A course without its points.
public struct CourseOutline: Sendable, Hashable {
  public let source: Int32
  /// Metres.
  public let length: Double
  public let start: Place
  public let arrival: Place
  public let stages: [Course.Stage]
  public let attribution: String
}

extension RaceStore {
  /// The courses of races, without their points.
  /// - Parameter ids: of courses.
  /// - Throws: `PostgresError`.
  public func outlines(of ids: [String]) async throws -> [String: CourseOutline] {
    if ids.isEmpty { return [:] }
    return try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT id::text, source::integer, length_m, start_name, ST_Y(start_at::geometry), ST_X(start_at::geometry),
          arrival_name, ST_Y(arrival_at::geometry), ST_X(arrival_at::geometry), stage_names, stage_latitudes,
          stage_longitudes, stage_distances, attribution
        FROM course WHERE id = ANY ($1::text[]::uuid[])
        """, [.textArray(ids)])
      var outlines: [String: CourseOutline] = [:]
      for row in 0..<rows.rowCount {
        let names = try rows.stringArray(row, 9)
        let (latitudes, longitudes) = (try rows.doubleArray(row, 10), try rows.doubleArray(row, 11))
        let distances = try rows.doubleArray(row, 12)
        let count = min(names.count, latitudes.count, longitudes.count, distances.count)
        outlines[try rows.string(row, 0)] = CourseOutline(
          source: try rows.int32(row, 1), length: try rows.double(row, 2),
          start: Place(
            latitude: try rows.double(row, 4), longitude: try rows.double(row, 5), name: try rows.string(row, 3)),
          arrival: Place(
            latitude: try rows.double(row, 7), longitude: try rows.double(row, 8), name: try rows.string(row, 6)),
          stages: (0..<count).map {
            Course.Stage(
              place: Place(latitude: latitudes[$0], longitude: longitudes[$0], name: names[$0]),
              distance: distances[$0])
          }, attribution: try rows.string(row, 13))
      }
      return outlines
    }
  }

  /// Those of some races that a person observes.
  /// - Throws: `PostgresError`.
  public func observed(of races: [RaceID], by person: PersonID) async throws -> Set<RaceID> {
    if races.isEmpty { return [] }
    return try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT race FROM race_observer WHERE account = $1 AND race = ANY ($2)", [.int8(person), .int8Array(races)])
      return Set(try (0..<rows.rowCount).map { try rows.int64($0, 0) })
    }
  }

  /// A person's enrolments in some races, by race.
  /// - Throws: `PostgresError`.
  public func enrolments(in races: [RaceID], of person: PersonID) async throws -> [RaceID: EnrolmentRecord] {
    if races.isEmpty { return [:] }
    return try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT \(EnrolmentRecord.columns) FROM (
          SELECT *, \(EnrolmentRecord.position) FROM race_enrolment e WHERE person = $1 AND race = ANY ($2)) e
        \(EnrolmentRecord.joins)
        """, [.int8(person), .int8Array(races)])
      let records = try (0..<rows.rowCount).map { try EnrolmentRecord(rows, $0) }
      return Dictionary(records.map { ($0.race, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }
}
