internal import Domain
public import Log
public import Places
public import Postgres

/// The imported streets as maps draw them.
public struct RoadTiles: Sendable {
  /// The last import.
  public struct Imported: Sendable, Hashable {
    /// Grows with each import.
    public let version: Int64
    /// Whose streets they are: must be shown with them.
    public let attribution: String
    /// The box around all streets, in degrees.
    public let west, south, east, north: Double
  }

  /// The streets of a tile, of one import.
  public struct Streets: Sendable, Hashable {
    public let version: Int64
    /// For each layer its number and its lines as TWKB: what is drawn below comes first.
    public let layers: [(number: UInt8, lines: [UInt8])]

    public static func == (a: Streets, b: Streets) -> Bool {
      a.version == b.version && a.layers.elementsEqual(b.layers) { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(version) }
  }

  /// Tiles of less zoom show no streets.
  public static let leastZoom = RoadKinds.leastZoom
  /// The most that the streets of one tile may take of the database.
  static let deadline: Duration = .seconds(3)
  /// The most pieces of streets in a tile: the largest streets of those that are there.
  static let maxPieces = 30_000

  let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// nil where nothing has been imported.
  /// - Throws: `PostgresError`, `CancellationError`.
  public func imported() async throws -> Imported? {
    try await pool.withConnection(deadline: Self.deadline) { try Self.imported($0) }
  }

  private static func imported(_ connection: Connection) throws -> Imported? {
    let rows = try connection.query(
      "SELECT id, attribution, west, south, east, north FROM roads.import ORDER BY id DESC LIMIT 1")
    guard rows.rowCount == 1 else { return nil }
    return Imported(
      version: try rows.int64(0, 0), attribution: try rows.string(0, 1), west: try rows.double(0, 2),
      south: try rows.double(0, 3), east: try rows.double(0, 4), north: try rows.double(0, 5))
  }

  /// The streets that are large enough to be seen in a tile.
  /// - Throws: `PostgresError`, of kind `timeout` after three seconds; `CancellationError`.
  public func streets(in tile: MapTile) async throws -> Streets {
    try await pool.withConnection(deadline: Self.deadline) { connection in
      try connection.inTransaction { connection in
        // The lock comes before the snapshot: a map that is swapped in meanwhile is seen whole, or not at all.
        try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try connection.execute("LOCK TABLE roads.way IN ACCESS SHARE MODE")
        let version = try Self.imported(connection)?.version ?? 0
        let rows = try connection.query(
          Self.query, [.int8(Int64(tile.zoom)), .int8(Int64(tile.x)), .int8(Int64(tile.y))])
        let layers = try (0..<rows.rowCount).map { row in
          (number: UInt8(clamping: try rows.int64(row, 0)), lines: try rows.withBytes(row, 1) { Array($0) })
        }
        return Streets(version: version, layers: layers)
      }
    }
  }

  /// Pieces are joined before they are simplified, so that a street has fewer points where they met.
  private static let query = """
    WITH tile AS MATERIALIZED (
      SELECT box, ST_Transform(ST_Expand(box, (ST_XMax(box) - ST_XMin(box)) * \(MapTile.margin) / \(MapTile.extent)), 4326)
          AS reach, (ST_XMax(box) - ST_XMin(box)) / \(MapTile.extent) AS step
      FROM ST_TileEnvelope($1::int, $2::int, $3::int) AS box
    ), piece AS (
      SELECT k.layer, w.line
      FROM tile, roads.way AS w JOIN (VALUES \(RoadKinds.drawnRows)) AS k (kind, layer, zoom) USING (kind)
      WHERE w.line && tile.reach AND k.zoom <= $1
      ORDER BY k.layer DESC, w.length_m DESC LIMIT \(maxPieces)
    ), layer AS (
      SELECT layer, ST_Simplify(ST_LineMerge(ST_Collect(ST_Transform(line, 3857))), (SELECT step FROM tile)) AS lines
      FROM piece GROUP BY layer
    ), drawn AS (
      SELECT layer, ST_Multi(ST_CollectionExtract(
        ST_AsMVTGeom(lines, tile.box, \(MapTile.extent), \(MapTile.margin), true), 2)) AS lines
      FROM layer, tile
    )
    SELECT layer::bigint, ST_AsTWKB(lines, 0) FROM drawn WHERE NOT ST_IsEmpty(lines) ORDER BY layer
    """
}

extension StorageSystem {
  public var roadTiles: RoadTiles { RoadTiles(pool: pools.heavy) }
}
