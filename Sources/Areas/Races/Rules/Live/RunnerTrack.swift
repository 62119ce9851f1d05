internal import Domain

/// Where one runner is on the course, by all positions so far: a function of them and their order alone. Its memory does
/// not grow.
struct RunnerTrack {
  /// What was known after a position.
  struct Sample {
    var time: Microseconds
    /// Metres along the course where the position lies; NaN if it is not on the course.
    var matched: Float
    /// Metres along the course by all positions up to this one, also before the start and after the arrival.
    var filtered: Float
    /// The distance reached, and its standard deviation.
    var distance: Float
    var sigma: Float
    /// The runner's, in m/s.
    var pace: Float
    /// The standard deviation of the position in one direction, in metres.
    var deviation: Float
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
  /// Seconds between positions that are no gap.
  static let widestStep = 12.0
  /// For this long after a point was passed, its time is refined.
  static let refining: Microseconds = 45_000_000
  private static let between: Microseconds = 5_000_000

  /// In the order of time, the newest at `newest`.
  private(set) var samples: [Sample] = []
  private(set) var newest = -1
  /// The newest of them, here once more so that it is at hand.
  private(set) var last: Sample?
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
  let starts: Microseconds
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
    let before = time
    let seconds = Double(fix.time - before) / 1e6
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
        time: time, matched: isOn ? Float(best.matched) : .nan, filtered: Float(best.distance),
        distance: Float(distance), sigma: Float(sigma), pace: Float(best.pace), deviation: Float(deviation),
        resting: resting, good: good ?? .min))
    if isOn {
      if best.distance < jumped - 60 { withdraw(points) }
      pass(points, best)
    }
    refine(points, since: before)
  }

  private mutating func follow(_ found: Double, length: Double) {
    let found = min(length, max(0, found))
    if isGoingBack {
      isGoingBack = found <= distance + max(10, sigma)
      distance = isGoingBack ? min(distance, found) : found
    } else if found < distance - max(30, 5 * sigma) {
      isGoingBack = true
      distance = found
    } else {
      distance = max(distance, found)
    }
  }

  private mutating func keep(_ sample: Sample) {
    last = sample
    newest = (newest + 1) % Self.kept
    if samples.count < Self.kept { samples.append(sample) } else { samples[newest] = sample }
  }

  /// The sample some steps before the newest; 0 is the newest.
  @inline(__always) func sample(_ back: Int) -> Sample {
    samples[back <= newest ? newest - back : newest - back + samples.count]
  }

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

  /// Works out anew when the last points were passed, every few seconds while that can still change.
  private mutating func refine(_ points: [Double], since before: Microseconds) {
    while settled < splits.count, before > passed[settled] + Self.refining { settled += 1 }
    for index in settled..<splits.count where Self.isDue(time, after: before, passed: passed[index]) {
      splits[index] = split(index, at: points[index], after: index > 0 ? splits[index - 1] : nil, upTo: 0)
    }
  }

  /// Whether a position lets the time of a passing be worked out anew.
  static func isDue(_ time: Microseconds, after before: Microseconds, passed: Microseconds) -> Bool {
    (time - passed) / between > (before - passed) / between || before <= passed
  }
}
