internal import Glibc

/// One way in which a runner's positions may be understood: a place on the course and a speed along it, with their
/// covariance (a Kalman filter in one dimension), and how well it explains the positions beside other hypotheses.
///
/// The speed wanders about the runner's pace, so standing still and turning round are possible and cost something. That
/// is what tells the leg out from the leg back, and one lap from the next.
struct Hypothesis {
  /// How far the speed strays from the pace, in m/s, and for how many seconds.
  private static let strays = 1.2
  private static let lasting = 20.0
  /// Seconds over which the pace is learned, and its bounds in m/s.
  private static let paceMemory = 300.0
  private static let paces = 1.5...5.0
  /// m/s that nobody runs.
  private static let maxSpeed = 8.0

  /// Metres along the course, m/s, and the pace about which the speed wanders.
  var distance: Double
  var speed: Double
  var pace: Double
  /// The covariance of distance and speed.
  var varianceD: Double
  var covariance = 0.0
  var varianceV: Double
  /// For how many seconds the pace has been learned.
  private var moved = 0.0
  /// The logarithm of its likelihood, up to a constant that all hypotheses share.
  var weight = 0.0
  /// For how many seconds it has run against the course.
  private(set) var against = 0.0
  /// Where it was seen last, and for how many seconds it has not been since.
  private(set) var seen: Double
  private(set) var unseen = 0.0
  /// The place on the course that was nearest to the last position; NaN if that position was none of this hypothesis.
  var matched = Double.nan

  init(distance: Double, speed: Double, pace: Double, varianceD: Double, varianceV: Double) {
    self.distance = distance
    seen = distance
    self.speed = speed
    self.pace = pace
    self.varianceD = varianceD
    self.varianceV = varianceV
  }

  /// At the gun: at the line or waiting behind it.
  static let atStart = Hypothesis(distance: -10, speed: 1.5, pace: 2.8, varianceD: 900, varianceV: 2.25)

  /// Goes on for some seconds without being seen.
  mutating func predict(_ seconds: Double) {
    unseen += seconds
    let fading = exp(-seconds / Self.lasting)
    let carried = Self.lasting * (1 - fading)
    distance += pace * seconds + (speed - pace) * carried
    speed = pace + (speed - pace) * fading
    let strays = Self.strays * Self.strays
    let (d, c, v) = (varianceD, covariance, varianceV)
    // Of the wandering speed (Ornstein and Uhlenbeck), integrated; and the pace itself may have changed.
    let drift = 0.3 * max(0, seconds - 10)
    varianceD =
      d + 2 * carried * c + carried * carried * v + drift * drift
      + strays * Self.lasting * Self.lasting
      * max(0, 2 * seconds / Self.lasting - 3 + 4 * fading - fading * fading)
    covariance = fading * (c + carried * v) + strays * Self.lasting * (1 - fading) * (1 - fading)
    varianceV = fading * fading * v + strays * (1 - fading * fading)
  }

  /// Where one can have gone to by running since it was seen, with a margin in metres; turning round is not for long.
  func reach(_ margin: Double) -> ClosedRange<Double> {
    let back = 20 + 2 * min(unseen, 60) + margin
    return seen - back...seen + Self.maxSpeed * unseen + 20 + margin
  }

  /// Has been seen at a place of the course.
  /// - Parameters:
  ///   - variance: of that place along the course, in square metres.
  ///   - seconds: since the prediction before.
  mutating func see(_ place: Double, variance: Double, after seconds: Double) {
    let innovation = place - distance
    let s = varianceD + variance
    let (gainD, gainV) = (varianceD / s, covariance / s)
    distance += gainD * innovation
    speed += gainV * innovation
    varianceV -= gainV * covariance
    covariance -= gainD * covariance
    varianceD -= gainD * varianceD
    against = speed < -0.5 ? against + seconds : 0
    // Of running alone: whoever has stopped goes on as before.
    if speed > 0.8 {
      moved = min(Self.paceMemory, moved + seconds)
      pace += min(0.5, seconds / (moved + 20)) * (speed - pace)
    }
    pace = min(Self.paces.upperBound, max(Self.paces.lowerBound, pace))
    matched = place
    (seen, unseen) = (distance, 0)
  }

  /// Has been seen at a place that could not be foreseen.
  mutating func begin(at place: Double, variance: Double) {
    distance = place
    speed = pace
    against = 0
    varianceD = variance
    covariance = 0
    varianceV = Self.strays * Self.strays
    matched = place
    (seen, unseen) = (distance, 0)
  }
}

/// What explains a runner's positions, the best first.
struct Hypotheses {
  /// What a step needs beside the result; kept between steps, so that they allocate nothing.
  struct Scratch {
    var search = CourseMap.Scratch()
    fileprivate var branches: [Hypothesis] = []
  }

  private static let most = 8
  /// A hypothesis this much less likely than the best is dropped.
  private static let hopeless = 25.0
  /// The logarithm of the density of positions that have nothing to do with the runner, in 1/m².
  private static let outlier = -19.0
  /// Hypotheses at one place are two if their speeds differ by more, in m/s.
  private static let otherSpeed = 1.0
  /// What running against the course costs each second, for at most some seconds.
  private static let against = 0.1
  /// After so many seconds against the course it may be that the runner has turned before the turning point, and cut off
  /// at most so many metres; and what that costs.
  private static let doubtful = 15.0
  private static let longestCut = 1_000.0
  private static let cutting = 8.0
  /// Courses are drawn, and roads are wide: metres.
  private static let drawing = 4.0

  private(set) var all: [Hypothesis] = [.atStart]
  private var isFirst = true

  var best: Hypothesis { all[0] }

  /// The standard deviation of the best one's distance, the others taken into account.
  var spread: Double {
    var (total, sum) = (0.0, 0.0)
    for hypothesis in all {
      let likelihood = exp(hypothesis.weight - all[0].weight)
      let apart = hypothesis.distance - all[0].distance
      total += likelihood
      sum += likelihood * (hypothesis.varianceD + apart * apart)
    }
    return (sum / total).squareRoot()
  }

  /// Takes the next position.
  /// - Parameters:
  ///   - sigma: its standard deviation in one direction, in metres.
  ///   - seconds: since the one before.
  /// - Returns: whether it is on the course where the runner can be.
  mutating func take(
    _ point: (x: Double, y: Double), sigma: Double, after seconds: Double, on map: CourseMap, _ scratch: inout Scratch
  ) -> Bool {
    map.project(point, within: 3 * sigma + 50, &scratch.search)
    scratch.branches.removeAll(keepingCapacity: true)
    let variance = sigma * sigma
    let across = variance + Self.drawing * Self.drawing
    for var hypothesis in all {
      hypothesis.predict(seconds)
      let s = hypothesis.varianceD + variance
      let reach = hypothesis.reach(3 * sigma)
      // Somewhere else than foreseen, but where one can run to: the longer nothing was heard, the likelier.
      let elsewhere = log(isFirst ? 0.2 : min(0.02, 0.002 * max(1, hypothesis.unseen)))
      let uniform = elsewhere - log(reach.upperBound - reach.lowerBound)
      for place in scratch.search.projections {
        let innovation = place.distance - hypothesis.distance
        let foreseen = -0.5 * (innovation * innovation / s + log(2 * .pi * s))
        guard foreseen > uniform || reach.contains(place.distance), max(foreseen, uniform) > -30 else { continue }
        var branch = hypothesis
        if foreseen > uniform {
          branch.see(place.distance, variance: variance, after: min(seconds, 10))
        } else {
          branch.begin(at: place.distance, variance: variance)
        }
        if branch.speed < -0.5 { branch.weight -= Self.against * min(seconds, 3) }
        branch.weight += max(foreseen, uniform) - 0.5 * (place.offset * place.offset / across + log(2 * .pi * across))
        scratch.branches.append(branch)
        if hypothesis.against > Self.doubtful { cut(from: branch, variance: variance, &scratch) }
      }
      hypothesis.weight += Self.outlier
      hypothesis.matched = .nan
      scratch.branches.append(hypothesis)
    }
    select(&scratch.branches)
    let isMatched = !all[0].matched.isNaN
    if isMatched { isFirst = false }
    return isMatched
  }

  /// Adds that a runner who seems to run against the course is on its way back, or in the next lap.
  private func cut(from against: Hypothesis, variance: Double, _ scratch: inout Scratch) {
    for place in scratch.search.projections
    where place.distance > against.distance + 20 && place.distance < against.distance + Self.longestCut {
      var branch = against
      branch.begin(at: place.distance, variance: variance)
      branch.weight -= Self.cutting
      scratch.branches.append(branch)
    }
  }

  /// Keeps the best branches, of those that mean the same the better one.
  private mutating func select(_ branches: inout [Hypothesis]) {
    all.removeAll(keepingCapacity: true)
    while all.count < Self.most {
      var best = -1
      for index in branches.indices where best < 0 || branches[index].weight > branches[best].weight { best = index }
      guard best >= 0, branches[best].weight > -.infinity else { break }
      let found = branches[best]
      branches[best].weight = -.infinity
      if let first = all.first, found.weight < first.weight - Self.hopeless { break }
      let isNew = all.allSatisfy {
        abs($0.distance - found.distance) > max(8, ($0.varianceD.squareRoot() + found.varianceD.squareRoot()) / 2)
          || abs($0.speed - found.speed) > Self.otherSpeed
      }
      if isNew { all.append(found) }
    }
    let top = all[0].weight
    for index in all.indices { all[index].weight -= top }
  }
}
