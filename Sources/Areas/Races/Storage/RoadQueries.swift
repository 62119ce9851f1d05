internal import Domain
internal import Postgres
internal import RacesRules

/// What planning asks of the map.
enum RoadQueries {
  /// A box in degrees.
  struct Box {
    var west, south, east, north: Double

    /// Around places, with so many metres on each side.
    init(around places: [Place], margin: Double) {
      let latitudes = places.map(\.latitude)
      let longitudes = places.map(\.longitude)
      (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
      (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
      // The pole has no east.
      let scale = Geodesy.metresPerDegree(atLatitude: min(89, max(abs(south), abs(north))))
      west = max(-180, west - margin / scale.east)
      east = min(180, east + margin / scale.east)
      south = max(-90, south - margin / scale.north)
      north = min(90, north + margin / scale.north)
    }

    var sql: String { "ST_MakeEnvelope(\(west), \(south), \(east), \(north), 4326)" }
  }

  /// A way that a path takes from a crossing.
  struct Passage {
    var crossing: Int64
    var way: Int64
  }

  private static let columns = "id, source, target, component, cost / length_m, ST_AsBinary(line, 'NDR')"

  /// What must be shown with routes of the map; nil without a map.
  static func attribution(_ connection: Connection) throws -> String? {
    let rows = try connection.query(
      """
      SELECT attribution FROM roads.import WHERE EXISTS (SELECT FROM roads.way) ORDER BY id DESC LIMIT 1
      """)
    return rows.rowCount == 1 ? try rows.string(0, 0) : nil
  }

  /// The nearest point of each connected part of the map within a distance of a place.
  static func snaps(_ connection: Connection, to place: Place, within distance: Double) throws -> [Int64: RoadSnap] {
    let rows = try connection.query(
      """
      SELECT \(columns) FROM roads.way WHERE line && \(Box(around: [place], margin: distance).sql)
      ORDER BY line <-> ST_SetSRID(ST_MakePoint($1, $2), 4326) LIMIT 2000
      """, [.float8(place.longitude), .float8(place.latitude)])
    var best: [Int64: RoadSnap] = [:]
    for row in 0..<rows.rowCount {
      let way = try way(rows, row)
      let (offset, apart) = way.line.nearest(to: place)
      if apart <= distance, apart < best[way.component]?.distance ?? .infinity {
        best[way.component] = RoadSnap(way: way, offset: offset, distance: apart)
      }
    }
    return best
  }

  /// Metres from a place to the nearest street, however far; nil without a map.
  static func distance(_ connection: Connection, to place: Place) throws -> Double? {
    let rows = try connection.query(
      """
      SELECT min(ST_Distance(line::geography, p::geography))
      FROM (SELECT ST_SetSRID(ST_MakePoint($1, $2), 4326) AS p) AS q,
        LATERAL (SELECT line FROM roads.way ORDER BY line <-> p LIMIT 20) AS w
      """, [.float8(place.longitude), .float8(place.latitude)])
    return rows.isNull(0, 0) ? nil : try rows.double(0, 0)
  }

  static func ways(_ connection: Connection, _ ids: [Int64]) throws -> [RoadWay] {
    let rows = try connection.query("SELECT \(columns) FROM roads.way WHERE id = ANY ($1)", [.int8Array(ids)])
    return try (0..<rows.rowCount).map { try way(rows, $0) }
  }

  /// The cheapest way from crossing to crossing; nil if there is none in the box.
  static func leg(
    _ connection: Connection, from: Int64, to: Int64, edges: String
  ) throws -> [Passage]? {
    let rows = try connection.query(
      "SELECT node, edge FROM pgr_dijkstra($1, $2, $3, false) ORDER BY path_seq",
      [.text(edges), .int8(from), .int8(to)])
    guard rows.rowCount > 1 else { return nil }
    return try (0..<rows.rowCount - 1).map { Passage(crossing: try rows.int64($0, 0), way: try rows.int64($0, 1)) }
  }

  private static func way(_ rows: Result, _ row: Int) throws -> RoadWay {
    guard let line = try rows.withBytes(row, 5, { RoadLine(wkb: $0) }) else {
      throw PostgresError(.decoding, "a street whose line cannot be read")
    }
    return RoadWay(
      id: try rows.int64(row, 0), source: try rows.int64(row, 1), target: try rows.int64(row, 2),
      component: try rows.int64(row, 3), weight: try rows.double(row, 4), line: line)
  }
}
