/// Where one runner is on the course, by all positions so far: a function of them and their order alone. Its memory does
/// not grow.
struct RunnerTrack {
  /// What was known after a position.
  struct Sample {
    var time: Microseconds
    /// Metres along the course where the position lies; NaN if it is not on the course.
    var matched: Float
    /// The distance reached, and its standard deviation.
    var distance: Float
    var sigma: Float
    /// Since when the runner has not moved on.
    var resting: Microseconds
    /// When a position was last on the course.
    var good: Microseconds
  }

  /// How many samples are kept: two minutes at 1 Hz.
  static let kept = 128
  /// Positions nearer to each other in time than this add nothing.
  private static let leastStep: Microseconds = 750_000
  /// A source that was silent for this long is left for another.
  private static let loyalty: Microseconds = 10_000_000
  /// Metres, where a device says nothing of its accuracy; and the worst that says anything about the course.
  private static let usualAccuracy = 10.0
  private static let worstAccuracy = 200.0
  /// Metres on the course that are no standing about.
  private static let progress = 20.0
  /// For this long after a point was passed, its time is refined.
  static let refining: Microseconds = 60_000_000

  /// In the order of time, the newest at `newest`.
  private(set) var samples: [Sample] = []
  private var newest = -1
  private var hypotheses = Hypotheses()
  private(set) var time: Microseconds
  private var source: SourceID?
  /// The distance reached: it goes back only if the runner does.
  private(set) var distance = 0.0
  private(set) var sigma = 0.0
  /// The runner has turned round.
  private var isGoingBack = false
  private var anchor = 0.0
  private(set) var resting: Microseconds
  private var good: Microseconds?
  private(set) var splits: [Split] = []
  /// When each of `splits` was seen first.
  private(set) var passed: [Microseconds] = []
  /// How many of `splits` are refined no more.
  private var settled = 0
  private let starts: Microseconds
  /// How many points there are to pass.
  let pointCount: Int

  init(starts: Microseconds, pointCount: Int) {
    self.starts = starts
    self.pointCount = pointCount
    time = starts
    resting = starts
  }

  /// Whether a position on the course has come.
  var isSeen: Bool { good != nil }
  var lastGood: Microseconds? { good }

  /// Takes the next position. Those that come late, are from another device than the one in use, or say nothing are
  /// ignored.
  mutating func take(_ fix: Fix, on map: CourseMap, points: [Double], _ scratch: inout Hypotheses.Scratch) {
    let accuracy = fix.accuracy.isNaN ? Self.usualAccuracy : fix.accuracy
    guard abs(fix.latitude) <= 90, abs(fix.longitude) <= 180, accuracy >= 0, accuracy <= Self.worstAccuracy,
      newest < 0 ? fix.time >= time : fix.time >= time + Self.leastStep
    else { return }
    if let source, source != fix.source, fix.time - time < Self.loyalty { return }
    if let last = passed.last, splits.count == points.count, fix.time > last + Self.refining { return }
    let seconds = Double(fix.time - time) / 1e6
    source = fix.source
    time = fix.time
    // Of a 68 % circle: in one direction. Nobody's device is better than 2 m, whatever it says.
    let deviation = max(2, accuracy / 1.51)
    let point = map.metres(fix.latitude, fix.longitude)
    let jumped = hypotheses.best.distance
    let isOn = hypotheses.take(point, sigma: deviation, after: seconds, on: map, &scratch)
    let best = hypotheses.best
    if isOn {
      // Errors of positions last for a while: the filter believes them too much.
      let spread = hypotheses.spread
      sigma = (spread * spread + 0.25 * deviation * deviation).squareRoot()
      follow(best.distance, length: map.length)
      if abs(best.distance - anchor) > max(Self.progress, 1.5 * deviation) || good == nil {
        anchor = best.distance
        resting = time
      }
      good = time
    }
    keep(
      Sample(
        time: time, matched: isOn ? Float(best.matched) : .nan, distance: Float(distance), sigma: Float(sigma),
        resting: resting, good: good ?? .min))
    if isOn {
      if best.distance < jumped - 60 { withdraw(points) }
      pass(points, best)
    }
    refine(points)
  }

  private mutating func follow(_ found: Double, length: Double) {
    let found = min(length, max(0, found))
    if isGoingBack {
      if found > distance + 10 { isGoingBack = false }
      distance = found
    } else if found < distance - max(30, 3 * sigma) {
      isGoingBack = true
      distance = found
    } else {
      distance = max(distance, found)
    }
  }

  private mutating func keep(_ sample: Sample) {
    newest = (newest + 1) % Self.kept
    if samples.count < Self.kept { samples.append(sample) } else { samples[newest] = sample }
  }

  /// The sample some steps before the newest; 0 is the newest.
  func sample(_ back: Int) -> Sample { samples[(newest - back + samples.count) % samples.count] }

  /// The distance was a mistake: what was passed on the way there was not.
  private mutating func withdraw(_ points: [Double]) {
    while let last = splits.last, points[last.point] > distance + 20 {
      splits.removeLast()
      passed.removeLast()
    }
    settled = min(settled, splits.count)
  }

  private mutating func pass(_ points: [Double], _ best: Hypothesis) {
    while splits.count < points.count {
      let point = points[splits.count]
      let isArrival = splits.count == points.count - 1
      let isThere =
        (splits.isEmpty ? best.distance >= 0 || distance > 0 : distance >= point)
        || isArrival && distance >= point - max(12, 2 * sigma) && abs(best.speed) < 0.7
      guard isThere else { return }
      splits.append(Split(point: splits.count, time: time - starts))
      passed.append(time)
    }
  }

  private mutating func refine(_ points: [Double]) {
    while settled < splits.count, time > passed[settled] + Self.refining { settled += 1 }
    for index in settled..<splits.count {
      let found = crossing(of: points[index], seen: passed[index], until: time)
      let least = index > 0 ? splits[index - 1].time : 0
      splits[index] = Split(point: index, time: max(least, found - starts))
    }
  }

  /// When a point was passed, by the positions until a time.
  func crossing(of point: Double, seen: Microseconds, until: Microseconds) -> Microseconds {
    // A straight line through the places of half a minute before and after.
    let window = 30.0
    var centre = interpolated(point, seen: seen)
    for _ in 0..<3 {
      var (n, st, sd, stt, std) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for back in 0..<samples.count {
        let sample = sample(back)
        let t = Double(sample.time - seen) / 1e6
        guard sample.time <= until, !sample.matched.isNaN, abs(t - centre) <= window else { continue }
        let d = Double(sample.matched) - point
        guard abs(d) < 8 * abs(t - centre) + 40 else { continue }
        n += 1
        st += t
        sd += d
        stt += t * t
        std += t * d
      }
      let slope = (n * std - st * sd) / (n * stt - st * st)
      guard n >= 6, slope > 0.5 else { break }
      let moved = (st - sd / slope) / n
      guard abs(moved - centre) < 15 else { break }
      centre = moved
    }
    return min(until, seen + Microseconds((centre * 1e6).rounded()))
  }

  /// Seconds from `seen` to the passing, between the last sample before it and the first one after.
  private func interpolated(_ point: Double, seen: Microseconds) -> Double {
    var after: (t: Double, d: Double)?
    for back in 0..<samples.count {
      let sample = sample(back)
      guard sample.time <= seen, !sample.matched.isNaN else { continue }
      let (t, d) = (Double(sample.time - seen) / 1e6, Double(point > 0 ? sample.distance : sample.matched))
      if d < point {
        guard let after, after.d > d else { return t }
        return t + (after.t - t) * (point - d) / (after.d - d)
      }
      after = (t, d)
    }
    // Nothing is known from before: at the gun everybody is at the start.
    guard let after, samples.count < Self.kept, after.d > 0 else { return after?.t ?? 0 }
    let gun = Double(starts - seen) / 1e6
    return gun + (after.t - gun) * point / after.d
  }
}
