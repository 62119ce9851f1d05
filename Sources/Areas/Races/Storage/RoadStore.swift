internal import Domain
public import Log
public import Postgres
public import RacesRules

/// The streets on which routes are planned.
public struct RoadStore: Sendable {
  /// A place that is too far from every street: its index, and metres to the nearest one.
  public struct OffRoad: Sendable, Hashable {
    public let place: Int
    public let distance: Double
  }

  /// What came of planning.
  public enum Plan: Sendable, Hashable {
    /// The shortest first; they share less than 70 % of their length with each other.
    case routes([RoadRoute], attribution: String)
    /// There is no map, or none of the places is on it.
    case noRoads
    case offRoad([OffRoad])
    /// The place of this index is, on the streets, where the one before is.
    case repeated(Int)
    /// No way leads from one to the next.
    case notConnected
    /// The shortest way that was found is longer than asked for: metres.
    case tooLong(Double)
  }

  /// How far a place may be from the nearest street: metres.
  public static let maxSnap = 250.0
  /// A place is on the map if a street is as near as this: metres.
  static let mapReach = 1_000.0
  /// The most that one plan may take.
  static let deadline: Duration = .seconds(5)

  let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Routes along streets through places in order.
  ///
  /// - Parameters:
  ///   - places: two or more; the last may be the first again.
  ///   - count: the most routes.
  ///   - maxLength: the length that a route may have, in metres.
  /// - Throws: `PostgresError`, of kind `timeout` after five seconds; `CancellationError`.
  public func routes(through places: [Place], upTo count: Int = 3, maxLength: Double) async throws -> Plan {
    try await pool.withConnection(deadline: Self.deadline) { connection in
      try connection.inTransaction { connection in
        // The lock comes before the snapshot: a map that is swapped in meanwhile is seen whole, or not at all.
        try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try connection.execute("LOCK TABLE roads.way IN ACCESS SHARE MODE")
        return try Self.plan(connection, places, count: count, maxLength: maxLength)
      }
    }
  }

  private static func plan(
    _ connection: Connection, _ places: [Place], count: Int, maxLength: Double
  ) throws -> Plan {
    guard let attribution = try RoadQueries.attribution(connection) else { return .noRoads }
    let candidates = try places.map { try RoadQueries.snaps(connection, to: $0, within: maxSnap) }
    let far = candidates.indices.filter { candidates[$0].isEmpty }
    if !far.isEmpty {
      let distances = try far.map {
        OffRoad(place: $0, distance: try RoadQueries.distance(connection, to: places[$0]) ?? 0)
      }
      let isOffMap = far.count == places.count && distances.allSatisfy { $0.distance > mapReach }
      return isOffMap ? .noRoads : .offRoad(distances)
    }
    guard let snaps = snaps(candidates) else { return .notConnected }
    var planner = RoadPlanner(connection, places: places, snaps: snaps)
    if let index = planner.repeatedPlace { return .repeated(index) }
    guard let (routes, length) = try planner.routes(upTo: count, maxLength: maxLength) else { return .notConnected }
    return routes.isEmpty ? .tooLong(length) : .routes(routes, attribution: attribution)
  }

  /// The nearest points of the connected part of the map that is nearest to all places together.
  private static func snaps(_ candidates: [[Int64: RoadSnap]]) -> [RoadSnap]? {
    let common = candidates.dropFirst().reduce(Set(candidates[0].keys)) { $0.intersection($1.keys) }
    func apart(_ component: Int64) -> Double { candidates.reduce(0) { $0 + ($1[component]?.distance ?? 0) } }
    guard let best = common.min(by: { (apart($0), $0) < (apart($1), $1) }) else { return nil }
    return candidates.compactMap { $0[best] }
  }
}

extension StorageSystem {
  public var roads: RoadStore { RoadStore(pool: pools.heavy) }
}
