import Domain
import Foundation
import Postgres
import RacesRules
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Sharing
@testable import Sos

/// The maps that ship, each imported once for all tests.
enum ShippedMap: String, CaseIterable {
  case milan = "milan-duomo.osm.gz"
  case helsinki = "helsinki-centre.osm.pbf"

  var path: String {
    Repository.root.appending(path: "Maps/\(rawValue)").path
  }

  /// A place in a share of the map's box, some way from its border.
  func place(_ north: Double, _ east: Double) -> Place {
    let (south, west, height, width) =
      self == .milan ? (45.4580, 9.1925, 0.0045, 0.0062) : (60.1650, 24.9365, 0.0130, 0.0150)
    return Place(latitude: south + north * height, longitude: west + east * width)
  }

  private static let databases: [ShippedMap: ConnectionConfiguration] = {
    var databases: [ShippedMap: ConnectionConfiguration] = [:]
    for map in allCases {
      guard let database = try? TemporaryCluster.shared().preparedDatabase("roads", StorageSystem.migrate),
        (try? RoadImport(into: database).run(file: map.path)) != nil
      else { continue }
      databases[map] = database
    }
    return databases
  }()

  /// A database with the map, which tests only read.
  func database() throws -> ConnectionConfiguration {
    try #require(Self.databases[self], "the map \(rawValue) cannot be imported")
  }
}

extension RoadStore {
  /// Plans over a database; the pool is closed before the answer.
  static func plan(
    _ database: ConnectionConfiguration, _ places: [Place], maxLength: Double = Course.maxLength
  ) async throws -> Plan {
    var configuration = PoolConfiguration(database)
    configuration.connectionCount = 1
    let pool = Pool(configuration)
    do {
      let plan = try await RoadStore(pool: pool).routes(through: places, maxLength: maxLength)
      await pool.shutdown()
      return plan
    } catch {
      await pool.shutdown()
      throw error
    }
  }

  /// The routes of a plan; a test failure if there are none.
  static func routes(_ database: ConnectionConfiguration, _ places: [Place]) async throws -> [RoadRoute] {
    let plan = try await plan(database, places)
    guard case .routes(let routes, "© OpenStreetMap contributors, ODbL 1.0") = plan else {
      Issue.record("no routes: \(plan)")
      return []
    }
    return routes
  }
}

extension RoadRoute {
  /// The point so many metres along.
  func point(at distance: Double) -> Place {
    var passed = 0.0
    for index in latitudes.indices.dropFirst() {
      let step = Geodesy.distance(
        latitudes[index - 1], longitudes[index - 1], latitudes[index], longitudes[index])
      if passed + step >= distance {
        let share = max(0, (distance - passed) / step)
        return Place(
          latitude: latitudes[index - 1] + (latitudes[index] - latitudes[index - 1]) * share,
          longitude: longitudes[index - 1] + (longitudes[index] - longitudes[index - 1]) * share)
      }
      passed += step
    }
    return Place(latitude: latitudes[latitudes.count - 1], longitude: longitudes[longitudes.count - 1])
  }

  /// Points every so many metres.
  func samples(every step: Double) -> [Place] { stride(from: 0, to: length, by: step).map { point(at: $0) } }
}

/// A map of straight streets on a grid of a thousandth of a degree near Milan, as an .osm file.
struct SketchedMap {
  private var nodes: Set<[Int]> = []
  private var ways = ""
  private var wayCount = 0

  static func id(_ row: Int, _ column: Int) -> Int { 1_000 + row * 100 + column }

  static func place(_ row: Double, _ column: Double) -> Place {
    Place(latitude: 45 + row / 1_000, longitude: 9 + column / 1_000)
  }

  /// Adds a street through grid points.
  mutating func street(_ points: [[Int]], _ tags: [String: String], missing: [Int]? = nil) {
    wayCount += 1
    ways += "<way id=\"\(wayCount)\">\n"
    for point in points {
      if point != missing { nodes.insert(point) }
      ways += "<nd ref=\"\(Self.id(point[0], point[1]))\"/>\n"
    }
    for (key, value) in tags.sorted(by: { $0.key < $1.key }) { ways += "<tag k=\"\(key)\" v=\"\(value)\"/>\n" }
    ways += "</way>\n"
  }

  /// Imports the map into a database of its own, or into the given one.
  @discardableResult
  func imported(into database: ConnectionConfiguration? = nil) throws -> ConnectionConfiguration {
    let database = try database ?? TemporaryCluster.shared().preparedDatabase("sketch", StorageSystem.migrate)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).osm")
    defer { try? FileManager.default.removeItem(at: file) }
    var text = "<osm version=\"0.6\">\n"
    for node in nodes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let place = Self.place(Double(node[0]), Double(node[1]))
      text += "<node id=\"\(Self.id(node[0], node[1]))\" lat=\"\(place.latitude)\" lon=\"\(place.longitude)\"/>\n"
    }
    try (text + ways + "</osm>\n").write(to: file, atomically: true, encoding: .utf8)
    _ = try RoadImport(into: database).run(file: file.path)
    return database
  }
}
