internal import Domain
internal import RacesRules

/// A piece of street between two crossings.
struct RoadWay: Sendable {
  let id: Int64
  let source: Int64
  let target: Int64
  let component: Int64
  /// What a metre of it costs.
  let weight: Double
  let line: RoadLine
}

/// Where a place is on the streets.
struct RoadSnap: Sendable {
  let way: RoadWay
  /// Metres along the way.
  let offset: Double
  /// Metres from the place.
  let distance: Double
}

/// Crossings that are not in the map: where places lie within a way, it is cut, and its parts stand for it.
struct RoadCuts: Sendable {
  /// Numbers from here on are not of the map.
  static let firstNumber: Int64 = 1 << 62
  /// Places as near as this to a crossing, or to each other on one way, are one: metres.
  private static let reach = 0.5

  /// The crossing of each place.
  private(set) var crossings: [Int64] = []
  private(set) var parts: [RoadWay] = []
  /// The ways that are cut.
  let cutWays: [Int64]

  init(_ snaps: [RoadSnap]) {
    var next = Self.firstNumber
    var crossings = [Int64](repeating: 0, count: snaps.count)
    var cut: [Int64] = []
    let groups = Dictionary(grouping: snaps.indices) { snaps[$0].way.id }
    for (id, members) in groups.sorted(by: { $0.key < $1.key }) {
      let way = snaps[members[0]].way
      var stops: [(offset: Double, crossing: Int64)] = [(0, way.source)]
      for index in members.sorted(by: { snaps[$0].offset < snaps[$1].offset }) {
        let offset = snaps[index].offset
        if offset - stops[stops.count - 1].offset <= Self.reach {
          crossings[index] = stops[stops.count - 1].crossing
        } else if way.line.length - offset <= Self.reach {
          crossings[index] = way.target
        } else {
          stops.append((offset, next))
          crossings[index] = next
          next += 1
        }
      }
      guard stops.count > 1 else { continue }
      stops.append((way.line.length, way.target))
      cut.append(id)
      for (a, b) in zip(stops, stops.dropFirst()) {
        guard let line = way.line.part(from: a.offset, to: b.offset) else { continue }
        parts.append(
          RoadWay(
            id: next, source: a.crossing, target: b.crossing, component: way.component, weight: way.weight, line: line))
        next += 1
      }
    }
    self.crossings = crossings
    cutWays = cut
  }
}

/// A way that is run, in its direction or against it.
struct RoadStep: Sendable, Hashable {
  let way: Int64
  let isForward: Bool
}

/// A route while it is made: the ways of each leg, from place to place.
struct RoadLegs: Sendable {
  let legs: [[RoadStep]]

  var ways: Set<Int64> { Set(legs.joined().map(\.way)) }

  /// Metres, by the lengths of the ways.
  func length(_ ways: [Int64: RoadWay]) -> Double {
    legs.joined().reduce(0) { $0 + (ways[$1.way]?.line.length ?? 0) }
  }

  /// How much of this route's length another one runs along too, 0 … 1.
  func share(with other: Set<Int64>, _ ways: [Int64: RoadWay]) -> Double {
    let shared = legs.joined().reduce(0) { other.contains($1.way) ? $0 + (ways[$1.way]?.line.length ?? 0) : $0 }
    return shared / max(1e-9, length(ways))
  }

  /// The points of the route, and how far along it each place is.
  func route(_ ways: [Int64: RoadWay]) -> RoadRoute {
    var route = RoadRoute()
    for leg in legs {
      for step in leg {
        guard let line = ways[step.way]?.line else { continue }
        for point in step.isForward ? line.points : line.points.reversed() { route.add(point) }
      }
      route.placeDistances.append(route.length)
    }
    return route
  }
}

/// A way along streets through places.
public struct RoadRoute: Sendable, Hashable {
  /// Degrees on WGS 84; no point equals the one before.
  public internal(set) var latitudes: [Double] = []
  public internal(set) var longitudes: [Double] = []
  /// Metres, by the points.
  public internal(set) var length = 0.0
  /// Metres along the route of each place, the start with 0 first.
  public internal(set) var placeDistances: [Double] = [0]

  mutating func add(_ point: RoadLine.Point) {
    if let latitude = latitudes.last, let longitude = longitudes.last {
      let step = Geodesy.distance(latitude, longitude, point.latitude, point.longitude)
      // What a course takes for the same point.
      if step < 0.01 { return }
      length += step
    }
    latitudes.append(point.latitude)
    longitudes.append(point.longitude)
  }
}
