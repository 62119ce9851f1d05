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

@Suite("A-R17: routes over real streets")
struct RoadRouteTests {
  /// Courses over the shipped maps: start, stages, arrival.
  static let courses: [(ShippedMap, [[Double]])] = [
    (.milan, [[0.1, 0.1], [0.9, 0.9]]),
    (.milan, [[0.5, 0.2], [0.9, 0.8], [0.2, 0.7], [0.5, 0.2]]),
    (.helsinki, [[0.1, 0.1], [0.9, 0.9]]),
    (.helsinki, [[0.5, 0.1], [0.9, 0.5], [0.5, 0.9], [0.1, 0.5], [0.5, 0.1]]),
    (.helsinki, [[0.2, 0.3], [0.8, 0.4], [0.3, 0.8]]),
  ]

  @Test(
    "A-R17: several routes, which differ by at least 30 % of their length, run on streets all the way",
    arguments: courses)
  func distinct(map: ShippedMap, shares: [[Double]]) async throws {
    let database = try map.database()
    let places = shares.map { map.place($0[0], $0[1]) }
    let routes = try await RoadStore.routes(database, places)
    #expect(routes.count >= 2 && routes.count <= 3)
    #expect(routes.map(\.length) == routes.map(\.length).sorted())
    let connection = try Connection(database)
    for (index, route) in routes.enumerated() {
      // Length equals geometry, and the places are passed in order, where the streets are nearest.
      let course = try Course(
        source: .roads, latitudes: route.latitudes, longitudes: route.longitudes, start: places[0],
        arrival: places[places.count - 1],
        stages: zip(places, route.placeDistances).dropFirst().dropLast().map { .init(place: $0, distance: $1) })
      #expect(abs(course.length - route.length) < 1e-6)
      #expect(route.placeDistances.count == places.count)
      #expect(route.placeDistances.first == 0 && abs(route.placeDistances[places.count - 1] - route.length) < 1e-6)
      for (place, distance) in zip(places, route.placeDistances) {
        #expect(Geodesy.distance(place, route.point(at: distance)) <= RoadStore.maxSnap)
      }
      let samples = route.samples(every: 7)
      let farthest = try connection.query(
        """
        SELECT max((SELECT min(ST_Distance(w.line::geography, p::geography)) FROM roads.way w
          WHERE w.line && ST_Expand(p, 0.001)))
        FROM (SELECT ST_SetSRID(ST_MakePoint(x, y), 4326) AS p FROM unnest($1::float8[], $2::float8[]) AS s (x, y)) AS q
        """,
        [
          .float8Array(route.longitudes + samples.map(\.longitude)),
          .float8Array(route.latitudes + samples.map(\.latitude)),
        ]
      ).double(0, 0)
      #expect(farthest < 1)
      for other in routes.indices where other != index {
        #expect(share(of: samples, on: routes[other]) < 0.72)
      }
    }
  }

  /// The share of points that lie on a route.
  private func share(of samples: [Place], on route: RoadRoute) -> Double {
    let points = zip(route.latitudes, route.longitudes).map { RoadLine.Point(latitude: $0, longitude: $1) }
    guard let line = RoadLine(points) else { return 0 }
    return Double(samples.count { line.nearest(to: $0).distance < 0.1 }) / Double(samples.count)
  }

  @Test("A-R17: nobody is sent back the way they came at a stage where there is another way on")
  func spikes() async throws {
    let database = try ShippedMap.helsinki.database()
    var random = SplitMix(state: 7)
    var spikes = 0
    var stages = 0
    for _ in 0..<8 {
      let places = (0..<4).map { _ in ShippedMap.helsinki.place(random.unit(), random.unit()) }
      guard Geodesy.distance(places[0], places[3]) > 100 else { continue }
      for route in try await RoadStore.routes(database, places) {
        for distance in route.placeDistances.dropFirst().dropLast() where distance > 20 && distance < route.length - 20
        {
          stages += 1
          if Geodesy.distance(route.point(at: distance - 15), route.point(at: distance + 15)) < 1 { spikes += 1 }
        }
      }
    }
    // The few are dead ends.
    #expect(stages > 30)
    #expect(spikes * 20 <= stages, "\(spikes) of \(stages)")
  }

  @Test(
    "A-R16.3: what is too long is said with the length found, and a shorter way is taken where the liked one is too long"
  )
  func tooLong() async throws {
    let database = try ShippedMap.milan.database()
    let places = [ShippedMap.milan.place(0.1, 0.1), ShippedMap.milan.place(0.9, 0.9)]
    let shortest = try #require(try await RoadStore.routes(database, places).first).length
    guard case .tooLong(let length) = try await RoadStore.plan(database, places, maxLength: 300) else {
      Issue.record("a long route was taken")
      return
    }
    #expect(length > 300 && length <= shortest + 1)
  }

  @Test("Places off the streets are named with their distance; off the map there are no roads")
  func offRoad() async throws {
    let database = try ShippedMap.milan.database()
    let here = ShippedMap.milan.place(0.5, 0.5)
    let away = Place(latitude: 45.4632 + 0.0045, longitude: 9.195)
    guard case .offRoad(let far) = try await RoadStore.plan(database, [here, away, here]) else {
      Issue.record("a place off the streets was taken")
      return
    }
    #expect(far.map(\.place) == [1])
    #expect(far[0].distance > 400 && far[0].distance < 700)
    let rome = Place(latitude: 41.9, longitude: 12.5)
    #expect(try await RoadStore.plan(database, [rome, Place(latitude: 41.91, longitude: 12.5)]) == .noRoads)
    guard case .offRoad = try await RoadStore.plan(database, [here, rome]) else {
      Issue.record("Rome was taken")
      return
    }
    let pole = Place(latitude: 90, longitude: 180)
    #expect(try await RoadStore.plan(database, [pole, Place(latitude: -90, longitude: -180)]) == .noRoads)
    let empty = try TemporaryCluster.shared().preparedDatabase("empty", StorageSystem.migrate)
    #expect(try await RoadStore.plan(empty, [here, away]) == .noRoads)
  }

  @Test("A place that is on the streets where the one before is, is named")
  func repeated() async throws {
    let database = try ShippedMap.milan.database()
    let here = ShippedMap.milan.place(0.5, 0.5)
    #expect(try await RoadStore.plan(database, [ShippedMap.milan.place(0, 0), here, here]) == .repeated(2))
  }
}

/// Numbers that look random and are the same in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// 0 ..< 1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
