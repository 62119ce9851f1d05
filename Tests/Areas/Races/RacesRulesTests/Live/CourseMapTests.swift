import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import RacesRules

@Suite("A-R17: a course as a map, wherever and however it runs")
struct CourseMapTests {
  private static func course(_ points: [(latitude: Double, longitude: Double)]) throws -> Course {
    let (first, last) = (points[0], points[points.count - 1])
    // Where it ends where it begins there must be a stage; only how far along the course it lies counts here.
    func course(_ stages: [Course.Stage]) throws -> Course {
      try Course(
        source: .gpx, latitudes: points.map(\.latitude), longitudes: points.map(\.longitude),
        start: Place(latitude: first.latitude, longitude: first.longitude),
        arrival: Place(latitude: last.latitude, longitude: last.longitude), stages: stages)
    }
    return try course([.init(place: Place(latitude: 20, longitude: 20), distance: 0.5)])
  }

  /// Up to the pole, and then to and fro over it, ten centimetres at a time, on opposite meridians.
  private static func poleTrack(towards pole: Double = 1) -> [(latitude: Double, longitude: Double)] {
    [(pole * 89.6, 0.0)] + (0..<40_000).map { (pole * (90 - 4e-7), $0 % 2 == 0 ? 0 : 180) }
  }

  /// As many points as there may be, there and back along so many metres.
  private static func shuttle(_ metres: Double) -> [(latitude: Double, longitude: Double)] {
    let turns = min(Course.maxPoints, Int(49_000 / metres))
    let far = 45 + metres / 111_131.8
    return (0..<turns).map { ($0 % 2 == 0 ? 45 : far, 9) }
  }

  /// As many points as there may be, each a corner.
  private static func scribble(seed: UInt64) -> [(latitude: Double, longitude: Double)] {
    var random = SeededGenerator(seed: seed)
    var point = (latitude: 45.0, longitude: 9.0)
    return (0..<Course.maxPoints).map { _ in
      point.latitude += Double.random(in: -5e-6...5e-6, using: &random)
      point.longitude += Double.random(in: -5e-6...5e-6, using: &random)
      return point
    }
  }

  /// As many teeth of a metre as there may be, side by side.
  private static func comb() -> [(latitude: Double, longitude: Double)] {
    (0..<Course.maxPoints).map { index in
      let north = index % 4 < 2 ? 0.0 : 8e-6
      let east = Double(index / 2) * 3e-7
      return (latitude: 45 + north, longitude: 9 + east)
    }
  }

  @Test("The size of a map is bounded, whatever the course")
  func bounded() throws {
    let courses = [
      Self.poleTrack(), Self.poleTrack(towards: -1), Self.shuttle(1), Self.shuttle(3), Self.shuttle(24_000),
      Self.scribble(seed: 1), Self.comb(), [(45, 9), (45.31, 9.44)],
    ]
    for points in courses {
      let map = CourseMap(try Self.course(points))
      #expect(map.pieceCount <= CourseMap.maxCorners + 800)
      #expect(map.cellCount <= CourseMap.maxCells + 1_600)
      // A piece is no longer than a cell is wide: it lies in two rows and two columns at most.
      #expect(map.entryCount <= 4 * map.pieceCount)
    }
  }

  @Test("A track of 48 km to the pole and to and fro over it is what it is on the ground")
  func pole() throws {
    let course = try Self.course(Self.poleTrack())
    #expect(abs(course.length - 48_250) < 50)
    let map = CourseMap(course)
    // One leg of 44 km, and a place.
    #expect(map.pieceCount < 1_000)
    let pole = map.metres(90, 0)
    #expect(abs(pole.y - 44_677.5) < 1 && abs(pole.x) < 1)
  }

  private static let places: [(name: String, latitude: Double, longitude: Double)] = [
    ("Milan", 45.46, 9.19), ("around the north pole", 89.999, 40), ("beside the north pole", 89.98, 100),
    ("around the south pole", -89.999, 0), ("Taveuni", -16.8, 180), ("Wrangel", 71.2, -179.99), ("the equator", 0, 0),
  ]

  @Test("A runner is found on the course, at the poles and across the 180th meridian too", arguments: places)
  func found(_ place: (name: String, latitude: Double, longitude: Double)) throws {
    // A square of 2 km about the place, drawn without the projection: by steps along great circles.
    let corners = [45.0, 135, 225, 315, 405].map { Self.go(from: place.latitude, place.longitude, $0, 1_414) }
    let course = try Self.course(corners)
    // The Earth is flatter here and rounder there than that sphere.
    #expect(abs(course.length - 7_998) < 50, "\(course.length) m")
    let map = CourseMap(course)
    var scratch = CourseMap.Scratch()
    var passed = 0.0
    for leg in 0..<4 {
      let side = Geodesy.distance(
        corners[leg].latitude, corners[leg].longitude, corners[leg + 1].latitude, corners[leg + 1].longitude)
      defer { passed += side }
      for share in [0.1, 0.35, 0.5, 0.9] {
        let along = Geodesy.point(between: corners[leg], and: corners[leg + 1], at: share)
        let distance = passed + share * side
        map.project(map.metres(along.latitude, along.longitude), within: 50, &scratch)
        #expect(scratch.projections.count == 1)
        #expect(abs((scratch.projections.first?.distance ?? -1) - distance) < 2)
        #expect(scratch.projections.first?.offset ?? 100 < 0.5)
        let told = course.point(at: distance)
        #expect(Geodesy.distance(told.latitude, told.longitude, along.latitude, along.longitude) < 2)
      }
    }
    map.project(map.metres(-place.latitude, place.longitude + 180), within: 450, &scratch)
    #expect(scratch.projections.isEmpty)
  }

  /// Where one comes to on a sphere from a place in a direction.
  private static func go(
    from latitude: Double, _ longitude: Double, _ bearing: Double, _ metres: Double
  ) -> (latitude: Double, longitude: Double) {
    let (lat, turn, angle) = (latitude * .pi / 180, bearing * .pi / 180, metres / 6_371_000)
    let north = asin(min(1, max(-1, sin(lat) * cos(angle) + cos(lat) * sin(angle) * cos(turn))))
    let east = atan2(sin(turn) * sin(angle) * cos(lat), cos(angle) - sin(lat) * sin(north))
    return (north * 180 / .pi, (longitude + east * 180 / .pi).remainder(dividingBy: 360))
  }

  @Test("Of a place that is passed ever again so many passings are told apart as there may be")
  func passings() throws {
    let map = CourseMap(try Self.course(Self.shuttle(24)))
    var scratch = CourseMap.Scratch()
    map.project(map.metres(45 + 12 / 111_131.8, 9), within: 60, &scratch)
    #expect(scratch.projections.count == CourseMap.maxPassings)
    #expect(abs(scratch.projections[0].distance - 12) < 1 && abs(scratch.projections[511].distance - 12_276) < 3)
    // 125 laps of a stadium are told apart.
    let lap = (0..<40).map { (step: Int) -> (latitude: Double, longitude: Double) in
      let turn = Double(step) / 40 * 2 * .pi
      let (north, east) = (63.6 * sin(turn), 63.6 * cos(turn))
      return (45 + north / 111_131.8, 9 + east / 78_847)
    }
    let stadium = CourseMap(try Self.course(Array(repeating: lap, count: 125).flatMap { $0 } + [lap[0]]))
    stadium.project(stadium.metres(45 + 63.6 / 111_131.8, 9), within: 20, &scratch)
    #expect(scratch.projections.count == 125)
  }

  @Test("Simplifying looks at each point at most twice, whatever their order")
  func linear() throws {
    for points in [Self.shuttle(1), Self.scribble(seed: 2), Self.poleTrack(), Self.arc()] {
      let course = try Self.course(points)
      let line = CourseLine(course, on: LocalPlane(latitude: points[0].latitude, longitude: points[0].longitude))
      var looks = 0
      _ = CourseLine.corners(of: line.s.count, within: 1) { index in
        looks += 1
        return (line.x[index], line.y[index], line.s[index])
      }
      #expect(looks <= 2 * line.s.count)
    }
  }

  /// A spiral that widens: what is furthest from a chord is ever next to its end.
  private static func arc() -> [(latitude: Double, longitude: Double)] {
    (0..<20_000).map { step in
      let (turn, radius) = (Double(step) / 300, 20 + Double(step) / 400)
      let (north, east) = (radius * sin(turn), radius * cos(turn))
      return (45 + north / 111_131.8, 9 + east / 78_847)
    }
  }

  @Test("What is simplified is within the tolerance at each distance, and no longer than it may be")
  func tolerance() throws {
    for (points, tolerance) in [(Self.arc(), 1.0), (Self.arc(), 0.1), (Self.scribble(seed: 3), 1)] {
      let course = try Self.course(points)
      let line = CourseLine(course, on: LocalPlane(latitude: 45, longitude: 9))
      let kept = CourseLine.corners(of: line.s.count, within: tolerance) { (line.x[$0], line.y[$0], line.s[$0]) }
      #expect(kept.first == 0 && kept.last == line.s.count - 1 && kept.count < line.s.count)
      for (from, to) in zip(kept, kept.dropFirst()) {
        for index in from...to {
          let share = (line.s[index] - line.s[from]) / (line.s[to] - line.s[from])
          let dx = line.x[from] + share * (line.x[to] - line.x[from]) - line.x[index]
          let dy = line.y[from] + share * (line.y[to] - line.y[from]) - line.y[index]
          #expect((dx * dx + dy * dy).squareRoot() <= tolerance + 1e-6)
        }
      }
      let coarse = line.simplified(tolerance, to: 100)
      #expect(coarse.s.count <= 100 && coarse.s.first == 0 && coarse.s.last == course.length)
    }
  }
}
