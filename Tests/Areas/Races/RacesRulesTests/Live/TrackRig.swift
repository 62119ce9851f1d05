@testable import Domain
@testable import RacesRules

/// One runner's track on one course, position by position.
struct TrackRig {
  let course: Course
  let map: CourseMap
  let points: [Double]
  var track: RunnerTrack
  private var scratch = Hypotheses.Scratch()

  init(_ course: Course, starts: Microseconds = SimulatedRunner.gun) {
    self.course = course
    map = CourseMap(course)
    points = [0] + course.stages.map(\.distance) + [course.length]
    track = RunnerTrack(starts: starts, pointCount: points.count)
  }

  mutating func take(_ fix: Fix) { track.take(fix, on: map, points: points, &scratch) }

  /// - Returns: the distance and its standard deviation after each position.
  mutating func take(_ fixes: [Fix]) -> [(distance: Double, sigma: Double)] {
    fixes.map {
      take($0)
      return (track.distance, track.sigma)
    }
  }

  /// A position on the course, exactly.
  mutating func take(at seconds: Double, _ distance: Double, accuracy: Double = 5, source: SourceID = 1) {
    let place = SimulatedRunner.place(course, distance)
    take(
      Fix(
        time: SimulatedRunner.gun + Microseconds(seconds * 1e6), latitude: place.latitude, longitude: place.longitude,
        accuracy: accuracy, source: source))
  }
}

extension [Double] {
  /// The value that a share of all is not above.
  func quantile(_ share: Double) -> Double { sorted()[Swift.min(count - 1, Int(Double(count) * share))] }
}
