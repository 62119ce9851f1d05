import Foundation
import TestSupport

@testable import Domain
@testable import RacesRules

/// How well a device measures.
///
/// The error in each direction is normal. Two thirds of its variance are new with every position, a third wanders (Ornstein and
/// Uhlenbeck, 30 s), as reflections and the atmosphere make it.
struct Noise: Sendable, Hashable {
  /// Metres, radius of the 68 % circle.
  var accuracy: Double
  var wandering = 1.0 / 3
  var lasting = 30.0
  /// How often a position is far away, by 100 to 1,000 m.
  var jumps = 0.0

  static let five = Noise(accuracy: 5)
  static let fifteen = Noise(accuracy: 15)
}

/// Where a runner really was, and what the device reported.
struct SimulatedRunner: Sendable {
  struct Habits: Sendable {
    var speed = 3.0
    /// Pauses of 20 to 120 s.
    var pauses = 0
    /// How often the runner turns round for 40 to 150 m.
    var returns = 0
    /// Seconds between positions.
    var period = 1.0
    /// How long, in seconds, and after what share of the course nothing is received.
    var gap: (share: Double, seconds: Double)?
    /// Seconds from the gun to the first step, behind the line by so many metres.
    var waits = 0.0
    var behind = 0.0
    /// Seconds after the arrival.
    var after = 90.0
    /// Whether the runner goes on for some metres after the arrival, and how fast.
    var slowsDownAfter = 25.0
  }

  static let gun: Microseconds = 1_780_000_000_000_000

  var fixes: [Fix] = []
  /// Metres along the course at each of `fixes`.
  var truth: [Double] = []
  /// Seconds from the gun at which start, stages and arrival were passed.
  var crossings: [Double]

  init(_ course: Course, _ habits: Habits, _ noise: Noise, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let points = [0] + course.stages.map(\.distance) + [course.length]
    crossings = Array(repeating: .nan, count: points.count)
    // No stop within 60 m of a point: when one has been passed is no clear question there.
    func stop() -> Double {
      while true {
        let place = Double.random(in: 0.02..<0.98, using: &random) * course.length
        if points.allSatisfy({ abs($0 - place) > 60 }) { return place }
      }
    }
    var pauses = (0..<habits.pauses).map { _ in (stop(), Double.random(in: 20...120, using: &random)) }.sorted {
      $0.0 < $1.0
    }
    var returns = (0..<habits.returns).map { _ in (stop(), Double.random(in: 40...150, using: &random)) }.sorted {
      $0.0 < $1.0
    }
    let step = 0.25
    var (distance, time, wobble) = (-habits.behind, 0.0, 0.0)
    var (standing, back) = (habits.waits, 0.0)
    var passed = habits.behind > 0 ? 0 : 1
    if passed == 1 { crossings[0] = habits.waits }
    var end = Double.infinity
    let sigma = noise.accuracy / 1.5096
    var (east, north) = (random.normal(), random.normal())
    var next = Double.random(in: 0..<habits.period, using: &random)
    let scale = Geodesy.metresPerDegree(atLatitude: SimulatedCourse.latitude)
    let silent = habits.gap.map { gap in (course.length * gap.share, gap.seconds) }
    var silentUntil = -1.0
    var wasSilent = false
    while time < end {
      let fade = exp(-step / 40)
      wobble = fade * wobble + (1 - fade * fade).squareRoot() * random.normal() * 0.06
      var speed = habits.speed * (1 + wobble)
      if standing > 0 {
        standing -= step
        speed = 0
      } else if back > 0 {
        back -= speed * step
        speed = -speed
      }
      if distance > course.length + habits.slowsDownAfter { speed = 0 }
      let before = distance
      distance += speed * step
      while passed < points.count, distance >= points[passed] {
        crossings[passed] = time + step * (points[passed] - before) / (distance - before)
        passed += 1
        if passed == points.count { end = time + habits.after }
      }
      time += step
      if let pause = pauses.first, distance >= pause.0 {
        standing = pause.1
        pauses.removeFirst()
      }
      if let turn = returns.first, distance >= turn.0 {
        back = turn.1
        returns.removeFirst()
      }
      let hold = exp(-step / noise.lasting)
      east = hold * east + (1 - hold * hold).squareRoot() * random.normal()
      north = hold * north + (1 - hold * hold).squareRoot() * random.normal()
      if let silent, !wasSilent, distance >= silent.0 { (silentUntil, wasSilent) = (time + silent.1, true) }
      guard time >= next else { continue }
      next += habits.period * Double.random(in: 0.97...1.03, using: &random)
      guard time >= silentUntil else { continue }
      let place = SimulatedRunner.place(course, distance)
      var dx = sigma * (noise.wandering.squareRoot() * east + (1 - noise.wandering).squareRoot() * random.normal())
      var dy = sigma * (noise.wandering.squareRoot() * north + (1 - noise.wandering).squareRoot() * random.normal())
      if noise.jumps > 0, random.chance(noise.jumps) {
        let direction = Double.random(in: 0..<2 * .pi, using: &random)
        let jump = Double.random(in: 100...1_000, using: &random)
        dx += jump * cos(direction)
        dy += jump * sin(direction)
      }
      fixes.append(
        Fix(
          time: Self.gun + Microseconds(time * 1e6), latitude: place.latitude + dy / scale.north,
          longitude: place.longitude + dx / scale.east,
          accuracy: noise.accuracy * Double.random(in: 0.8...1.2, using: &random), source: 1))
      truth.append(min(course.length, max(0, distance)))
    }
  }

  /// Also before the start and after the arrival, straight on.
  static func place(_ course: Course, _ distance: Double) -> (latitude: Double, longitude: Double) {
    let (from, to, over): (Double, Double, Double)
    if distance < 0 {
      (from, to, over) = (5, 0, -distance)
    } else if distance > course.length {
      (from, to, over) = (course.length - 5, course.length, distance - course.length)
    } else {
      return course.point(at: distance)
    }
    let (a, b) = (course.point(at: from), course.point(at: to))
    return (b.latitude + (b.latitude - a.latitude) * over / 5, b.longitude + (b.longitude - a.longitude) * over / 5)
  }
}

extension SeededGenerator {
  /// Of mean 0 and standard deviation 1.
  mutating func normal() -> Double {
    let radius = (-2 * log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}
