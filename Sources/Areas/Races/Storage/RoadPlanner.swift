internal import Domain
internal import Postgres
internal import RacesRules

/// Makes routes through places in one transaction, which sees one map.
struct RoadPlanner {
  /// What a way costs more that this route has run already: runners do not like to come back the way they went.
  private static let again = 2.5
  /// And the one on which the last leg arrived: nobody turns round at a stage unless there is no other way.
  private static let turn = 12.0
  /// What a way costs more for each route found before that runs along it.
  private static let worn = 1.8
  private static let maxWorn = 60.0
  private static let attempts = 8
  /// After that long no more alternatives are sought.
  private static let patience: Duration = .milliseconds(2_500)

  let connection: Connection
  let places: [Place]
  let cuts: RoadCuts
  let component: Int64
  /// Every way that a route has run along so far, and the parts of the cut ones.
  private(set) var ways: [Int64: RoadWay]

  /// - Parameter snaps: one for each place, all of one connected part of the map.
  init(_ connection: Connection, places: [Place], snaps: [RoadSnap]) {
    self.connection = connection
    self.places = places
    cuts = RoadCuts(snaps)
    component = snaps[0].way.component
    ways = Dictionary(uniqueKeysWithValues: cuts.parts.map { ($0.id, $0) })
  }

  /// The first place that is where the one before is, if there is one.
  var repeatedPlace: Int? { places.indices.dropFirst().first { cuts.crossings[$0] == cuts.crossings[$0 - 1] } }

  /// Up to so many routes, the shortest first, which share less than 70 % of their length with each other.
  ///
  /// - Parameters:
  ///   - maxLength: metres.
  /// - Returns: routes, or none and the shortest length that was found; nil if no way leads through the places.
  mutating func routes(upTo count: Int, maxLength: Double) throws -> (routes: [RoadRoute], length: Double)? {
    let began = ContinuousClock.now
    var found: [(legs: RoadLegs, ways: Set<Int64>, length: Double)] = []
    var wear: [Int64: Double] = [:]
    guard var first = try legs(wear: wear, byLength: false) else { return nil }
    // Liked ways may be too long where the shortest are not.
    if first.length(ways) > maxLength, let shortest = try legs(wear: wear, byLength: true) { first = shortest }
    let length = first.length(ways)
    guard length <= maxLength else { return ([], length) }
    found.append((first, first.ways, length))
    for way in first.ways { wear[way] = Self.worn }
    for _ in 1..<Self.attempts where found.count < count && ContinuousClock.now - began < Self.patience {
      guard let next = try legs(wear: wear, byLength: false) else { break }
      let (nextWays, nextLength) = (next.ways, next.length(ways))
      for way in nextWays { wear[way] = min(Self.maxWorn, (wear[way] ?? 1) * Self.worn) }
      // Twice as far as need be is no alternative.
      guard nextLength <= min(maxLength, 2 * length + 500) else { continue }
      let isDistinct = found.allSatisfy {
        next.share(with: $0.ways, ways) < 0.7 && $0.legs.share(with: nextWays, ways) < 0.7
      }
      if isDistinct { found.append((next, nextWays, nextLength)) }
    }
    return (found.map { $0.legs.route(ways) }.sorted { $0.length < $1.length }, length)
  }

  /// The cheapest legs, one after the other; nil if there is no way.
  private mutating func legs(wear: [Int64: Double], byLength: Bool) throws -> RoadLegs? {
    var legs: [[RoadQueries.Passage]] = []
    var factors = wear
    for index in 1..<places.count {
      guard let leg = try leg(index, factors, byLength: byLength) else { return nil }
      // The last way of the leg before is one of many now.
      if let last = legs.last?.last { factors[last.way] = (wear[last.way] ?? 1) * Self.again }
      for passage in leg { factors[passage.way] = (wear[passage.way] ?? 1) * Self.again }
      if let last = leg.last { factors[last.way] = (wear[last.way] ?? 1) * Self.turn }
      legs.append(leg)
    }
    let missing = Set(legs.joined().map(\.way)).filter { ways[$0] == nil }
    for way in try RoadQueries.ways(connection, Array(missing)) { ways[way.id] = way }
    return RoadLegs(
      legs: legs.map { leg in
        leg.map { RoadStep(way: $0.way, isForward: ways[$0.way]?.source == $0.crossing) }
      })
  }

  private func leg(
    _ index: Int, _ factors: [Int64: Double], byLength: Bool
  ) throws -> [RoadQueries.Passage]? {
    let ends = [places[index - 1], places[index]]
    let (from, to) = (cuts.crossings[index - 1], cuts.crossings[index])
    let box = RoadQueries.Box(around: ends, margin: max(750, Geodesy.distance(ends[0], ends[1]) * 0.6))
    if let leg = try RoadQueries.leg(
      connection, from: from, to: to, edges: edges(factors, in: box, byLength: byLength))
    {
      return leg
    }
    return try RoadQueries.leg(connection, from: from, to: to, edges: edges(factors, in: nil, byLength: byLength))
  }

  /// The query by which pgRouting reads the ways with what they cost. There are only numbers of ours in it.
  private func edges(_ factors: [Int64: Double], in box: RoadQueries.Box?, byLength: Bool) -> String {
    let factorsInOrder = factors.sorted { $0.key < $1.key }
    var query = """
      SELECT w.id, w.source, w.target, w.\(byLength ? "length_m" : "cost") * coalesce(f.factor, 1) AS cost
      FROM roads.way AS w LEFT JOIN unnest(\(Self.array(factorsInOrder.map(\.key), "bigint")), \
      \(Self.array(factorsInOrder.map(\.value), "float8"))) AS f (id, factor) ON f.id = w.id
      WHERE w.component = \(component) AND w.id <> ALL (\(Self.array(cuts.cutWays, "bigint")))
      """
    if let box { query += " AND w.line && \(box.sql)" }
    for part in cuts.parts {
      let cost = part.line.length * (byLength ? 1 : part.weight) * (factors[part.id] ?? 1)
      query += "\nUNION ALL SELECT \(part.id), \(part.source), \(part.target), \(cost)::float8"
    }
    return query
  }

  private static func array(_ values: [some CustomStringConvertible], _ type: String) -> String {
    "ARRAY[\(values.map(\.description).joined(separator: ","))]::\(type)[]"
  }
}
