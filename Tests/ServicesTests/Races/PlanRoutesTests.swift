import Domain
import Foundation
import GPX
import Postgres
import RPCRuntime
import ServiceAPI
import Synchronization
import Testing
import TestSupport
import Threads
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

private typealias Wire = Trackme_Races_V1_Place

extension ServiceRig {
  fileprivate func plan(
    _ start: Wire?, _ stages: [Wire], _ arrival: Wire?, laps: Int32 = 0, gpx: [UInt8] = [], as caller: Metadata
  ) async throws -> [Trackme_Races_V1_Route] {
    try await RaceServiceClient(channel: channel).planRoutes(
      .init(start: start, stages: stages, arrival: arrival, laps: laps, gpx: gpx), metadata: caller
    ).routes
  }

  /// The fields that are named when it is refused.
  fileprivate func refused(
    _ start: Wire?, _ stages: [Wire], _ arrival: Wire?, laps: Int32 = 0, gpx: [UInt8] = [], as caller: Metadata
  ) async -> [String]? {
    let refusal = await status { _ = try await plan(start, stages, arrival, laps: laps, gpx: gpx, as: caller) }
    if let refusal { #expect(refusal.code == .invalidArgument) }
    return refusal?.fieldViolations.map(\.field)
  }

  fileprivate func plan(
    _ start: Wire?, _ arrival: Wire?, gpx: [UInt8] = [], as caller: Metadata
  ) async throws -> [Trackme_Races_V1_Route] { try await plan(start, [], arrival, gpx: gpx, as: caller) }

  fileprivate func refused(
    _ start: Wire?, _ arrival: Wire?, gpx: [UInt8] = [], as caller: Metadata
  ) async -> [String]? { await refused(start, [], arrival, gpx: gpx, as: caller) }

  fileprivate func importMilan() throws {
    _ = try RoadImport(into: database).run(file: Repository.root.path + "/Maps/milan-duomo.osm.gz")
  }
}

/// A place near Milan, by thousandths of a degree: 111 m northwards, 79 m eastwards.
private func place(_ north: Double, _ east: Double, _ name: String = "") -> Wire {
  Wire(latitude: 45.46 + north / 1_000, longitude: 9.195 + east / 1_000, name: name)
}

private func track(_ points: [(Double, Double)], altitudes: [Double] = []) -> [UInt8] {
  let writer = GPXWriter(name: "Giro")
  let points = points.enumerated().map { index, point in
    let wire = place(point.0, point.1)
    return GPXPoint(
      latitude: wire.latitude, longitude: wire.longitude, altitude: altitudes.isEmpty ? nil : altitudes[index])
  }
  return writer.head + writer.points(points) + writer.tail
}

private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

extension Array {
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var mapped: [T] = []
    for element in self { mapped.append(try await transform(element)) }
    return mapped
  }
}

@Suite("Planning of courses", .timeLimit(.minutes(5)))
struct PlanRoutesTests {
  @Test("A-R16.2: at most 10 stages, none of them start or arrival, and a start that is the arrival only with a stage")
  func places() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      let (start, end) = (place(0, 0), place(0, 5))
      let stages = (1...11).map { place(1, Double($0)) }
      #expect(await rig.refused(start, stages, end, as: caller) == ["stages"])
      #expect(try await rig.plan(start, Array(stages.prefix(10)), end, as: caller).count == 1)
      #expect(await rig.refused(start, start, as: caller) == ["arrival"])
      #expect(await rig.refused(start, place(0, 0.1), as: caller) == ["arrival"])
      #expect(try await rig.plan(start, [place(1, 1)], start, as: caller).count == 1)
      #expect(await rig.refused(start, [place(1, 1), start], end, as: caller) == ["stages[1]"])
      #expect(await rig.refused(start, [end], end, as: caller) == ["stages[0]"])
      #expect(await rig.refused(nil, nil, as: caller) == ["start", "arrival"])
      #expect(
        await rig.refused(Wire(latitude: .nan, longitude: 181), end, as: caller) == [
          "start.latitude", "start.longitude",
        ])
      #expect(await rig.refused(place(0, 0, String(repeating: "x", count: 101)), end, as: caller) == ["start.name"])
      for laps in [-1, 51, .max, .min] as [Int32] {
        #expect(await rig.refused(start, [place(1, 1)], start, laps: laps, as: caller) == ["laps"])
      }
      #expect(await rig.refused(start, [place(1, 1)], end, laps: 2, as: caller) == ["laps"])
    }
  }

  @Test("A-R16.3: a course of more than 50 km is refused with the length found")
  func length() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      let refusal = await status { _ = try await rig.plan(place(0, 0), place(450, 0), as: caller) }
      #expect(refusal?.code == .invalidArgument && refusal?.errorInfo?.reason == "COURSE_TOO_LONG")
      let found = try #require(refusal?.errorInfo?.metadata.first { $0.key == "length_m" }.flatMap { Double($0.value) })
      #expect(abs(found - 50_014) < 30)
      #expect(try await rig.plan(place(0, 0), place(449, 0), as: caller).first?.course?.lengthM ?? 0 > 49_000)
      let laps = await status { _ = try await rig.plan(place(0, 0), [place(10, 0)], place(0, 0), laps: 23, as: caller) }
      #expect(laps?.errorInfo?.reason == "COURSE_TOO_LONG")
      #expect(try await rig.plan(place(0, 0), [place(10, 0)], place(0, 0), laps: 22, as: caller).count == 1)
      let file = track([(0, 0), (450, 0)])
      let uploaded = await status { _ = try await rig.plan(nil, nil, gpx: file, as: caller) }
      #expect(uploaded?.errorInfo?.reason == "COURSE_TOO_LONG")
    }
  }

  @Test("A-R17: without road data the legs are straight, and the course says so")
  func straight() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let routes = try await rig.plan(
        place(0, 0, "Piazza"), [place(2, 0, "Fontana")], place(0, 0.01, "Traguardo"), laps: 3, as: caller)
      #expect(routes.count == 1)
      let course = try #require(routes[0].course)
      #expect(course.source == .straight && course.attribution == "" && course.climbM == nil)
      #expect(abs(course.lengthM - 6 * 222.3) < 1)
      #expect(course.stages.map(\.place?.name) == ["Fontana"] && abs(course.stages[0].distanceM - 222.3) < 0.5)
      #expect(course.start?.name == "Piazza" && course.arrival?.name == "Traguardo")
      // Where runners pass a place again, it is there again.
      #expect(course.latitudes.count == 7)
      let planned = try #require(try await rig.storage.courses.planned(routes[0].routeID))
      #expect(planned.planner == person && Trackme_Races_V1_Course(planned.course) == course)
    }
  }

  @Test("A-R17, A-R25: the routes are along streets; each is kept under its number, for the one who planned it")
  func streets() async throws {
    try await withServer { rig in
      try rig.importMilan()
      let (person, caller) = try await rig.member("ada")
      let stages = [place(2, 2, "Primo"), place(-1, 2)]
      let routes = try await rig.plan(place(0, -2, "Via"), stages, place(0, -2), laps: 2, as: caller)
      #expect(routes.count > 1 && Set(routes.map(\.routeID)).count == routes.count)
      for route in routes {
        let course = try #require(route.course)
        #expect(course.source == .roads && course.attribution.contains("OpenStreetMap contributors"))
        #expect(course.stages.map(\.place?.name) == ["Primo", ""])
        #expect(course.stages[0].distanceM < course.stages[1].distanceM)
        #expect(course.stages[1].distanceM < course.lengthM / 2)
        #expect(course.latitudes.first == course.latitudes.last)
        let planned = try #require(try await rig.storage.courses.planned(route.routeID))
        #expect(planned.planner == person && Trackme_Races_V1_Course(planned.course) == course)
      }
      #expect(routes.map(\.course!.lengthM) == routes.map(\.course!.lengthM).sorted())
      // 4 thousandths of a degree north of the map, 445 m.
      let far = await status {
        _ = try await rig.plan(place(0, 0), [place(1, 1), place(7.3, 0)], place(1, 0), as: caller)
      }
      let violations = far?.fieldViolations ?? []
      #expect(violations.map(\.field) == ["stages[1]"])
      #expect(violations.first?.problem.contains(" m from the nearest one") == true)
      #expect(try await rig.plan(place(100, 0), place(101, 0), as: caller)[0].course?.source == .straight)
      let same = await rig.refused(place(0, 0), [place(1, 1), place(1, 1)], place(0, 0), as: caller)
      #expect(same == ["stages[1]"])
    }
  }

  @Test("A-R17: an uploaded course is taken as it is, with its climb; stages are put where it passes them, in order")
  func uploaded() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      // Out and back along one line, and a loop at its end.
      let points: [(Double, Double)] = [(0, 0), (5, 0), (5, 5), (7, 5), (7, 0), (5, 0), (0, 0)]
      let file = track(points, altitudes: [100, 150, 149, 151, 130, 131, 100])
      let routes = try await rig.plan(
        nil, [place(3, 0.2, "Hin"), place(7, 3), place(3, 0.2, "Rück")], nil, gpx: file, as: caller)
      let course = try #require(routes.first?.course)
      #expect(routes.count == 1 && course.source == .gpx && course.latitudes.count == 7)
      #expect(course.climbM == 50 && course.altitudes.count == 7)
      #expect(abs(course.stages[0].distanceM - 333.4) < 1)
      #expect(abs(course.stages[2].distanceM - (course.lengthM - 333.4)) < 1)

      #expect(await rig.refused(nil, [place(7, 3), place(9, 9)], nil, gpx: file, as: caller) == ["stages[1]"])
      #expect(
        await rig.refused(nil, [place(3, 0), place(7, 3), place(5, 4)], nil, gpx: file, as: caller) == ["stages[2]"])
      #expect(await rig.refused(place(1, 1), place(5, 5), gpx: file, as: caller) == ["start", "arrival"])
      // The track says where its loop leads, so it needs no stage.
      #expect(abs((try await rig.plan(nil, nil, gpx: file, as: caller)[0].course?.lengthM ?? 0) - course.lengthM) < 1)
      #expect(try await rig.plan(place(0, 0), place(0, 0), gpx: file, as: caller).count == 1)
      #expect(
        await rig.refused(nil, [place(2, 0)], nil, laps: 2, gpx: track([(0, 0), (4, 0)]), as: caller) == ["laps"])
      let laps = try await rig.plan(nil, [place(7, 3)], nil, laps: 3, gpx: file, as: caller)
      #expect(abs((laps[0].course?.lengthM ?? 0) - 3 * course.lengthM) < 1)
    }
  }

  @Test(
    "A-R17: courses as exporters write them are taken: a loop without a stage, blanks before the XML declaration",
    arguments: [("course_loop", 1_198.0), ("course_leading_blanks", 1_780.0)])
  func exported(name: String, length: Double) async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      let file = [UInt8](try Data(contentsOf: Repository.fixtures.appending(path: "reported/\(name).gpx")))
      let course = try #require(try await rig.plan(nil, nil, gpx: file, as: caller).first?.course)
      #expect(abs(course.lengthM - length) < 1)
    }
  }

  @Test("A-R17: files that are no course are refused by the name of the field; one of 4 MiB is not too large")
  func hostile() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      for file in [
        Array("x".utf8), [0], Array("<gpx/>".utf8), track([]), track([(0, 0)]), track([(0, 0), (0, 0)]),
        Array("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>".utf8),
        Array("<gpx><trk><trkseg><trkpt lat=\"NaN\" lon=\"1e999\"/></trkseg></trk></gpx>".utf8),
      ] {
        #expect(await rig.refused(nil, nil, gpx: file, as: caller) == ["gpx"])
      }
      var large = track([(0, 0), (5, 0), (5, 5)])
      large += [UInt8](repeating: 0x20, count: GPXTrack.maxBytes - large.count)
      #expect(try await rig.plan(nil, nil, gpx: large, as: caller).count == 1)
      #expect(await rig.refused(nil, nil, gpx: large + [0x20], as: caller) == ["gpx"])
      let flood = Array("<gpx>".utf8) + Array(repeating: Array("<a/>".utf8), count: 1_048_500).flatMap { $0 }
      #expect(await rig.refused(nil, nil, gpx: flood, as: caller) == ["gpx"])
      let many = track((0..<50_001).map { (Double($0 % 2), 0) })
      #expect(await rig.refused(nil, nil, gpx: many, as: caller) == ["gpx"])
    }
  }

  @Test("A-R17: over the pole and across the 180th meridian a course is as long as on the ground, with its stages")
  func poles() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      func file(_ points: [(Double, Double)]) -> [UInt8] {
        let writer = GPXWriter(name: "Nord")
        return writer.head + writer.points(points.map { GPXPoint(latitude: $0.0, longitude: $0.1) }) + writer.tail
      }
      // Ten kilometres to the pole, ten on.
      let polar = try await rig.plan(
        nil, [Wire(latitude: 90, longitude: 33, name: "Pole")], nil, gpx: file([(89.91, 0), (89.91, 180)]), as: caller)
      let course = try #require(polar.first?.course)
      #expect(abs(course.lengthM - 20_105) < 1 && abs(course.stages[0].distanceM - 10_052.5) < 1)
      #expect(course.stages[0].place?.latitude ?? 0 > 89.999_99)
      let taveuni = try await rig.plan(
        nil, [Wire(latitude: -16.8, longitude: -180)], nil, gpx: file([(-16.8, 179.95), (-16.8, -179.97)]), as: caller)
      let across = try #require(taveuni.first?.course)
      #expect(abs(across.lengthM - 8_528) < 5 && abs(across.stages[0].distanceM - 5_330) < 5)
      #expect(abs(abs(across.stages[0].place?.longitude ?? 0) - 180) < 1e-4)
    }
  }

  @Test("Uploaded tracks are read on a thread of their own: while it is busy, others are answered")
  func thread() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      let (begun, held) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
      let planned = Flag()
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { held.signal() }
        group.addTask {
          try await rig.tracks.run {
            begun.continuation.finish()
            held.wait()
          }
        }
        for await _ in begun.stream {}
        group.addTask {
          let routes = try await rig.plan(nil, nil, gpx: track([(0, 0), (5, 0)]), as: caller)
          #expect(routes.count == 1)
          planned.set()
        }
        while rig.tracks.waitingCount == 0, !planned.isSet {
          _ = try await rig.raceClient.listRaces(.init(), metadata: caller)
        }
        #expect(rig.tracks.waitingCount == 1)
        #expect(!planned.isSet)
        held.signal()
        try await group.waitForAll()
      }
    }
  }

  @Test("Persons take turns: whoever asks for one plan is not behind all of those who ask for many")
  func turns() async throws {
    try await withServer { rig in
      let crowd = try await ["ada", "bea", "cleo", "dora", "edna", "fay"].asyncMap { try await rig.member($0).1 }
      let (_, visitor) = try await rig.member("zoe")
      let (begun, held) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
      let (ofCrowd, before) = (Counter(), Counter())
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { held.signal() }
        group.addTask {
          try await rig.tracks.run {
            begun.continuation.finish()
            held.wait()
          }
        }
        for await _ in begun.stream {}
        @Sendable func plan(as caller: Metadata) async throws {
          let routes = try await rig.plan(nil, nil, gpx: track([(0, 0), (5, 0)]), as: caller)
          #expect(routes.count == 1)
        }
        for caller in crowd + crowd + crowd + crowd {
          group.addTask {
            try await plan(as: caller)
            ofCrowd.add(1)
          }
        }
        // Three of each wait, or are made, and one more.
        try await eventually { rig.plans.runningCount == 3 && rig.plans.waitingCount == 21 }
        let fifth = await status { try await plan(as: crowd[0]) }
        #expect(fifth?.code == .resourceExhausted && fifth?.errorInfo?.reason == "TOO_BUSY")
        group.addTask {
          try await plan(as: visitor)
          before.add(ofCrowd.value)
        }
        try await eventually { rig.plans.waitingCount == 22 }
        held.signal()
        try await group.waitForAll()
      }
      // Those that were being made, and one of each other: what else has ended meanwhile is on its way.
      #expect(ofCrowd.value == 24 && before.value <= 15)
    }
  }

  @Test("Nobody asks for plans too often")
  func limit() async throws {
    let limit = PlanLimit()
    for _ in 0..<PlanLimit.maxPerMinute { try limit.count(1) }
    #expect(await status { try limit.count(1) }?.errorInfo?.reason == "TOO_MANY_PLANS")
    try limit.count(2)
  }
}
