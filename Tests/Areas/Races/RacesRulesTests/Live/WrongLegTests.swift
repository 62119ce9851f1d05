import Testing

@testable import RacesRules

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

  /// Four runners of 2 to 5 m/s on each course, of whom all stand about once, one turns round for a while, one waits
  /// behind the line, and one is not heard of for two minutes.
  @Test("A-R23, A-R26: at most 0.1 % of positions are matched to the wrong leg or lap", arguments: cases)
  func wrongLegs(_ sample: Case) {
    var (wrong, total) = (0, 0)
    for seed in 0..<4 as Range<UInt64> {
      var habits = SimulatedRunner.Habits(speed: 2 + Double(seed), pauses: 1, period: seed == 1 ? 1 : 2)
      if seed == 1 { (habits.waits, habits.behind) = (40, 30) }
      if seed == 2 { habits.returns = 1 }
      if seed == 3 { habits.gap = (0.3, 120) }
      let runner = SimulatedRunner(sample.course.course, habits, sample.noise, seed: seed)
      var rig = TrackRig(sample.course.course)
      for ((distance, sigma), truth) in zip(rig.take(runner.fixes), runner.truth) {
        total += 1
        if abs(distance - truth) > max(60, 4 * sigma) { wrong += 1 }
      }
    }
    #expect(Double(wrong) <= 0.001 * Double(total), "\(wrong) of \(total)")
  }

  /// At 15 m a runner who stands near a turning point may for a while be taken for one who is past it: that is put right.
  @Test("positions never go back unless the runner does, at 15 m hardly ever", arguments: cases)
  func monotone(_ sample: Case) {
    var (back, total) = (0, 0)
    for seed in 0..<2 as Range<UInt64> {
      let habits = SimulatedRunner.Habits(speed: 2.5 + Double(seed), pauses: 2, period: 2)
      let runner = SimulatedRunner(sample.course.course, habits, sample.noise, seed: 11 + seed)
      var rig = TrackRig(sample.course.course)
      let distances = rig.take(runner.fixes).map(\.distance)
      back += zip(distances, distances.dropFirst()).count { $0 > $1 }
      total += distances.count
    }
    let allowed = sample.noise == .five ? 0 : 0.002 * Double(total)
    #expect(Double(back) <= allowed, "\(back) of \(total)")
  }

  @Test("positions go back if the runner does", arguments: [Noise.five, .fifteen])
  func turnsRound(_ noise: Noise) {
    let course = SimulatedCourse.outAndBack.course
    let runner = SimulatedRunner(course, SimulatedRunner.Habits(returns: 1), noise, seed: 5)
    var rig = TrackRig(course)
    var furthest = 0.0
    var deepest = 0.0
    for ((distance, _), truth) in zip(rig.take(runner.fixes), runner.truth) {
      furthest = max(furthest, truth)
      if furthest - truth > deepest, furthest - truth > 60 {
        deepest = furthest - truth
        #expect(abs(distance - truth) < 60)
      }
    }
    #expect(deepest > 60)
  }

  @Test("positions far away are rejected", arguments: SimulatedCourse.all)
  func jumps(_ sample: SimulatedCourse) {
    var noise = Noise.five
    noise.jumps = 0.05
    let runner = SimulatedRunner(sample.course, SimulatedRunner.Habits(speed: 3.5, period: 2), noise, seed: 3)
    var rig = TrackRig(sample.course)
    let errors = zip(rig.take(runner.fixes), runner.truth).map { abs($0.distance - $1) }
    #expect(errors.max()! < 60)
    #expect(rig.track.splits.count == rig.points.count)
  }

  @Test("after a tunnel the runner is where the positions are, and not where the last ones were")
  func tunnel() {
    for sample in SimulatedCourse.all {
      let habits = SimulatedRunner.Habits(speed: 3, gap: (0.4, 240))
      let runner = SimulatedRunner(sample.course, habits, .fifteen, seed: 8)
      var rig = TrackRig(sample.course)
      let reported = rig.take(runner.fixes)
      let gap = runner.fixes.indices.dropFirst().first {
        runner.fixes[$0].time - runner.fixes[$0 - 1].time > 200_000_000
      }!
      #expect(
        abs(reported[gap + 5].distance - runner.truth[gap + 5]) < max(60, 4 * reported[gap + 5].sigma), "\(sample.name)"
      )
      #expect(abs(reported[gap + 30].distance - runner.truth[gap + 30]) < 60, "\(sample.name)")
    }
  }

  @Test("a device that is switched on in the third of five laps is believed to be there, and not for sure")
  func comesLate() {
    let course = SimulatedCourse.laps.course
    let runner = SimulatedRunner(course, SimulatedRunner.Habits(speed: 2.9), .five, seed: 4)
    var rig = TrackRig(course)
    let late = runner.fixes.indices.first { runner.truth[$0] > 2.5 / 5 * course.length }!
    rig.take(runner.fixes[late])
    #expect(abs(rig.track.distance - runner.truth[late]) < 100)
    #expect(rig.track.sigma > 100)
  }

  @Test("a start of a quarter of an hour after the gun is one at the start")
  func startsLate() {
    let course = SimulatedCourse.outAndBack.course
    var rig = TrackRig(course)
    for second in 0..<60 { rig.take(at: 900 + Double(second), Double(second) * 3) }
    #expect(abs(rig.track.distance - 177) < 20)
  }

  @Test("no number, no place and no time of a position do harm")
  func nonsense() {
    let course = SimulatedCourse.straight.course
    var rig = TrackRig(course)
    for second in 0..<60 { rig.take(at: Double(second), Double(second) * 3) }
    let before = rig.track.distance
    let gun = SimulatedRunner.gun
    let place = course.point(at: 180)
    for (latitude, longitude, accuracy) in [
      (Double.nan, place.longitude, 5.0), (place.latitude, .infinity, 5), (91, place.longitude, 5),
      (place.latitude, -181, 5), (place.latitude, place.longitude, .infinity), (place.latitude, place.longitude, -1),
      (place.latitude, place.longitude, 5_000), (0, 0, 5), (-place.latitude, place.longitude - 180, .nan),
    ] {
      rig.take(Fix(time: gun + 60_000_000, latitude: latitude, longitude: longitude, accuracy: accuracy, source: 1))
    }
    // Again, and late.
    rig.take(at: 59, 2_000)
    rig.take(at: 30, 2_000)
    #expect(rig.track.distance == before)
    rig.take(at: 62, 186)
    #expect(abs(rig.track.distance - 186) < 10)
  }

  @Test("one source at a time: another one counts when the first has been silent for 10 s")
  func sources() {
    var rig = TrackRig(SimulatedCourse.straight.course)
    for second in 0..<60 {
      rig.take(at: Double(second), Double(second) * 3, source: 1)
      rig.take(at: Double(second) + 0.5, Double(second) * 3 + 40, source: 2)
    }
    #expect(abs(rig.track.distance - 177) < 5)
    for second in 60..<80 { rig.take(at: Double(second), Double(second) * 3 + 40, source: 2) }
    #expect(abs(rig.track.distance - 277) < 15)
  }

  @Test("the memory of a track does not grow")
  func memory() {
    let course = SimulatedCourse.laps.course
    let runner = SimulatedRunner(course, SimulatedRunner.Habits(speed: 2), .fifteen, seed: 1)
    var rig = TrackRig(course)
    _ = rig.take(runner.fixes)
    #expect(runner.fixes.count > 1_000)
    #expect(rig.track.samples.count == RunnerTrack.kept)
  }
}
