import Domain
import Foundation
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Sharing
@testable import Sos

@Suite("Maps for courses")
struct RoadImportTests {
  @Test("A-R17: runners are led around what they may not run on, and against one-way streets")
  func kinds() async throws {
    // A square: the straight side is forbidden in several ways, and the detour is a one-way street from the other end.
    for forbidden in [
      ["highway": "motorway"], ["highway": "trunk"], ["highway": "residential", "access": "private"],
      ["highway": "path", "foot": "no"], ["highway": "primary", "motorroad": "yes"], ["highway": "construction"],
      ["highway": "footway", "access": "no"],
    ] {
      var map = SketchedMap()
      map.street([[0, 0], [0, 5]], forbidden)
      map.street([[0, 5], [3, 5], [3, 0], [0, 0]], ["highway": "residential", "oneway": "yes"])
      let database = try map.imported()
      let routes = try await RoadStore.routes(database, [SketchedMap.place(0, 0), SketchedMap.place(0, 5)])
      #expect(routes.count == 1)
      #expect((routes.first?.length ?? 0) > 1_000, "\(forbidden)")
    }
    for allowed in [["highway": "footway", "access": "no", "foot": "yes"], ["highway": "steps"], ["highway": "track"]] {
      var map = SketchedMap()
      map.street([[0, 0], [0, 5]], allowed)
      map.street([[0, 5], [3, 5], [3, 0], [0, 0]], ["highway": "residential"])
      let routes = try await RoadStore.routes(
        try map.imported(), [SketchedMap.place(0, 0), SketchedMap.place(0, 5)])
      #expect((routes.first?.length ?? 0) < 400, "\(allowed)")
    }
  }

  @Test("A-R17: a path is preferred to a main road that is a little shorter")
  func liked() async throws {
    var map = SketchedMap()
    map.street([[0, 0], [0, 8]], ["highway": "primary"])
    map.street([[0, 0], [1, 0], [1, 8], [0, 8]], ["highway": "path"])
    let database = try map.imported()
    let places = [SketchedMap.place(0, 0), SketchedMap.place(0, 8)]
    let routes = try await RoadStore.routes(database, places)
    #expect(routes.count == 2)
    // Where the path is too long, the road is what there is.
    guard case .routes(let short, _) = try await RoadStore.plan(database, places, maxLength: 700) else {
      Issue.record("no road")
      return
    }
    #expect(short.count == 1 && short[0].length < 700)
  }

  @Test("Streets that go on beyond the map end at its border, and are joined with nothing else")
  func missingNodes() async throws {
    var map = SketchedMap()
    map.street([[0, 0], [0, 1], [0, 2], [0, 3]], ["highway": "path"], missing: [0, 2])
    map.street([[0, 0], [5, 0], [5, 3], [0, 3]], ["highway": "path"])
    let routes = try await RoadStore.routes(
      try map.imported(), [SketchedMap.place(0, 0), SketchedMap.place(0, 3)])
    #expect(routes.count == 1)
    #expect((routes.first?.length ?? 0) > 1_000)
  }

  @Test("Parts of the map that are not connected are told; a courtyard beside the street does not count")
  func parts() async throws {
    var map = SketchedMap()
    map.street([[0, 0], [0, 3]], ["highway": "path"])
    map.street([[0, 20], [0, 23]], ["highway": "path"])
    let apart = try map.imported()
    #expect(
      try await RoadStore.plan(apart, [SketchedMap.place(0, 0), SketchedMap.place(0, 23)]) == .notConnected)
    map.street([[1, 2], [1, 3]], ["highway": "path"])
    let database = try map.imported()
    let routes = try await RoadStore.routes(database, [SketchedMap.place(0, 0.2), SketchedMap.place(0.8, 2.8)])
    #expect(routes.count == 1)
  }

  @Test("Importing again replaces the map; one that fails keeps it")
  func again() async throws {
    var old = SketchedMap()
    old.street([[0, 0], [0, 5]], ["highway": "path"])
    let database = try old.imported()
    var new = SketchedMap()
    new.street([[40, 0], [40, 5]], ["highway": "path"])
    try new.imported(into: database)
    let gone = [SketchedMap.place(0, 0), SketchedMap.place(0, 5)]
    let there = [SketchedMap.place(40, 0), SketchedMap.place(40, 5)]
    #expect(try await RoadStore.plan(database, gone) == .noRoads)
    #expect(try await RoadStore.routes(database, there).count == 1)

    var motorway = SketchedMap()
    motorway.street([[0, 0], [0, 5]], ["highway": "motorway"])
    #expect(throws: RoadImportError.self) { try motorway.imported(into: database) }
    #expect(throws: RoadImportError.unreadable(file: "/nowhere.osm", reason: "No such file or directory")) {
      try RoadImport(into: database).run(file: "/nowhere.osm")
    }
    let text = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).osm.pbf")
    defer { try? FileManager.default.removeItem(at: text) }
    for content in ["", "no map", "<osm version=\"0.6\"><way id=\"1\"><nd ref=\"1\"/>"] {
      try content.write(to: text, atomically: true, encoding: .utf8)
      #expect(throws: RoadImportError.self) { try RoadImport(into: database).run(file: text.path) }
    }
    #expect(try await RoadStore.routes(database, there).count == 1)
    let connection = try Connection(database)
    #expect(try connection.query("SELECT count(*) FROM roads.import").int64(0, 0) == 2)
    #expect(try connection.query("SELECT to_regnamespace('roads_staging') IS NULL").bool(0, 0))
  }

  @Test("Routes are planned on the whole of one map while others are swapped in")
  func whileSwapped() async throws {
    var map = SketchedMap()
    map.street([[0, 0], [0, 5]], ["highway": "path"])
    map.street([[0, 0], [1, 0], [1, 5], [0, 5]], ["highway": "path"])
    let database = try map.imported()
    let places = [SketchedMap.place(0, 0), SketchedMap.place(0, 5)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [map] in for _ in 0..<4 { try map.imported(into: database) } }
      group.addTask {
        for _ in 0..<150 {
          let routes = try await RoadStore.routes(database, places)
          #expect(routes.count == 2)
        }
      }
      try await group.waitForAll()
    }
  }
}
