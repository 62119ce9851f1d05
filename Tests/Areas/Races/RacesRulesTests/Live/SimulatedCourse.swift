import Foundation
import Testing

@testable import Domain
@testable import RacesRules

/// Courses of made-up streets, drawn in metres about a place in Milan.
struct SimulatedCourse: Sendable, CustomTestStringConvertible {
  static let latitude = 45.4642
  static let longitude = 9.19

  let name: String
  let course: Course

  var testDescription: String { name }

  /// - Parameter corners: metres east and north.
  /// - Parameter stages: shares of the length.
  init(_ name: String, _ corners: [(Double, Double)], stages: [Double] = [0.25, 0.5, 0.75]) {
    self.name = name
    let scale = Geodesy.metresPerDegree(atLatitude: Self.latitude)
    let latitudes = corners.map { Self.latitude + $0.1 / scale.north }
    let longitudes = corners.map { Self.longitude + $0.0 / scale.east }
    // Places of stages only have names here: what counts is how far along the course they lie.
    func course(_ stages: [Course.Stage]) -> Course {
      try! Course(
        source: .straight, latitudes: latitudes, longitudes: longitudes,
        start: Place(latitude: latitudes[0], longitude: longitudes[0]),
        arrival: Place(latitude: latitudes.last!, longitude: longitudes.last!), stages: stages)
    }
    let elsewhere = Place(latitude: Self.latitude + 1, longitude: Self.longitude)
    let length = course([Course.Stage(place: elsewhere, distance: 0.01)]).length
    self.course = course(stages.map { Course.Stage(place: elsewhere, distance: $0 * length) })
  }

  static let straight = SimulatedCourse("straight", [(0, 0), (3_000, 200)])
  static let outAndBack = SimulatedCourse("out and back", [(0, 0), (2_000, 0), (0, 0)])
  static let spur = SimulatedCourse(
    "out and back with a spur",
    [(0, 0), (800, 0), (800, 400), (800, 0), (1_600, 100), (800, 0), (800, 400), (800, 0), (0, 0)],
    stages: [0.1, 0.3, 0.6, 0.9])
  static let figureEight = SimulatedCourse(
    "figure of eight", curve(2) { t in (400 * sin(t), 250 * sin(2 * t)) }, stages: [0.2, 0.4, 0.7])
  static let laps = SimulatedCourse(
    "five laps", curve(5) { t in (200 * cos(t) - 200, 130 * sin(t)) }, stages: [0.2, 0.4, 0.6, 0.8])
  /// Twice round, and in each lap one street is run in both directions.
  static let opposite = SimulatedCourse(
    "laps with a street in both directions",
    Array(
      repeating: [(0.0, 0.0), (600, 0), (900, 300), (900, 600), (600, 600), (600, 300), (900, 300), (600, 0)], count: 2
    ).flatMap { $0 } + [(0, 0)],
    stages: [0.15, 0.35, 0.5, 0.85])

  static let all = [straight, outAndBack, spur, figureEight, laps, opposite]
  static let ambiguous = [outAndBack, spur, figureEight, laps, opposite]

  private static func curve(_ turns: Int, _ point: (Double) -> (Double, Double)) -> [(Double, Double)] {
    (0...turns * 90).map { point(Double($0) / 90 * 2 * .pi) }
  }
}
