import Testing

@testable import Domain

/// Which leg and which lap: the distance reported beside the true one.
@Suite struct WrongLegTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let course: SimulatedCourse
    let noise: Noise
    var testDescription: String { "\(course.name), \(Int(noise.accuracy)) m" }
  }

  static let cases = SimulatedCourse.all.flatMap { course in
    [Noise.five, .fifteen].map { Case(course: course, noise: $0) }
  }

  @Test("A-R23, A-R26: at most 0.1 % of positions are matched to the wrong leg or lap", arguments: cases)
  func wrongLegs(_ sample: Case) {
    let course = sample.course.course
    let map = CourseMap(course)
    let points = [0] + course.stages.map(\.distance) + [course.length]
    var scratch = Hypotheses.Scratch()
    var (wrong, total) = (0, 0)
    for seed in 0..<4 as Range<UInt64> {
      let habits = SimulatedRunner.Habits(speed: 2 + Double(seed), pauses: 1, returns: seed == 0 ? 1 : 0, period: 2)
      let runner = SimulatedRunner(course, habits, sample.noise, seed: seed)
      var track = RunnerTrack(starts: SimulatedRunner.gun, pointCount: points.count)
      for (fix, truth) in zip(runner.fixes, runner.truth) {
        track.take(fix, on: map, points: points, &scratch)
        total += 1
        if abs(track.distance - truth) > max(60, 4 * track.sigma) { wrong += 1 }
      }
    }
    #expect(Double(wrong) <= 0.001 * Double(total), "\(wrong) of \(total)")
  }
}
