internal import Domain

extension RunnerTrack {
  /// When a point was passed, by the positions until a time.
  /// - Parameters:
  ///   - before: the split before, which cannot be later.
  ///   - last: the newest sample that counts, by its steps from the newest one.
  func split(_ index: Int, at point: Double, after before: Split?, upTo last: Int) -> Split {
    let seen = passed[index]
    let until = sample(last)
    let (guess, isGap) = interpolated(index, point, upTo: last)
    var centre = guess
    if !isGap {
      for _ in 0..<3 {
        var passing = Passing(pace: Double(until.pace), sigma: Double(until.deviation))
        for back in last..<samples.count {
          let sample = sample(back)
          guard !sample.matched.isNaN else { continue }
          passing.add(Double(sample.time - seen) / 1e6 - centre, Double(sample.matched) - point)
        }
        guard let moved = passing.solve(isStart: index == 0, isArrival: index == pointCount - 1), abs(moved) < 30 else {
          break
        }
        centre += moved
      }
    }
    let time = min(until.time, seen + Microseconds((centre * 1e6).rounded())) - starts
    return Split(point: index, time: max(before?.time ?? 0, time))
  }

  /// Seconds from `seen` to the passing, between the samples before it and after it; and whether these are too far from
  /// each other to say more.
  ///
  /// A passing that was undone within the errors of positions was none: of several the last one counts. Whoever waits on
  /// the start or stops on the arrival passes it again and again, so there it is the last passing of a place a little
  /// after, and the first one of a place a little before.
  private func interpolated(_ index: Int, _ point: Double, upTo last: Int) -> (seconds: Double, isGap: Bool) {
    let seen = passed[index]
    let newest = sample(last)
    let isArrival = index == pointCount - 1
    let margin = max(4, Double(newest.sigma))
    let shift = index == 0 ? margin : isArrival ? -margin : 0
    // Behind the line people wander about.
    let undone = index == 0 ? .infinity : max(15, 3 * Double(newest.sigma))
    var after: (t: Double, d: Double)?
    var found: (seconds: Double, isGap: Bool)?
    for back in last..<samples.count {
      let sample = sample(back)
      guard !sample.matched.isNaN else { continue }
      let (t, d) = (Double(sample.time - seen) / 1e6, Double(sample.filtered) - point - shift)
      if d < 0 {
        if let after, after.d >= 0, found == nil || isArrival {
          let share = -d / max(0.1, after.d - d)
          found = (t + (after.t - t) * share - shift / Double(newest.pace), after.t - t > Self.widestStep)
        }
        if found != nil, !isArrival || d < -undone || t < -60 { break }
        if sample.time > seen, d < -undone {
          // Came back for good: the passing is an earlier one.
          after = nil
          continue
        }
      }
      after = (t, d)
    }
    if let found { return found }
    // Nothing is known from before: at the gun everybody is at the start.
    guard let after, samples.count < Self.kept, after.d + shift > 0 else { return (0, true) }
    let gun = Double(starts - seen) / 1e6
    return (gun + (after.t - gun) * point / (after.d + shift + point), true)
  }

  /// What was known at a time.
  struct View: Sendable {
    var distance: Double
    var sigma: Double
    /// Of the last position, and of the last one that was on the course.
    var time: Microseconds
    var good: Microseconds
    /// Since when the runner has not moved on.
    var resting: Microseconds
    var splits: [Split]
    var hasArrived: Bool

    /// - Returns: nil if no position was on the course.
    fileprivate init?(_ sample: Sample, _ splits: [Split], hasArrived: Bool) {
      guard sample.good > .min else { return nil }
      (distance, sigma) = (Double(sample.distance), Double(sample.sigma))
      (time, good, resting) = (sample.time, sample.good, sample.resting)
      self.splits = splits
      self.hasArrived = hasArrived
    }
  }

  /// What the positions up to a time say, as if later ones had not come; nil if none of them was on the course.
  ///
  /// That is exact for half a minute before the newest position, at one position a second: devices' clocks may be ahead
  /// by so much. Of longer ago the oldest state is returned that is remembered.
  func view(at time: Microseconds, points: [Double]) -> View? {
    guard let last else { return nil }
    if last.time <= time { return View(last, splits, hasArrived: splits.count == pointCount) }
    var back = 1
    while back < samples.count, sample(back).time > time { back += 1 }
    if back == samples.count {
      if back < Self.kept { return nil }
      back -= 1
    }
    let splits = splits(upTo: back, points)
    return View(sample(back), splits, hasArrived: splits.count == pointCount)
  }

  /// The splits as they were some samples ago.
  private func splits(upTo last: Int, _ points: [Double]) -> [Split] {
    var found: [Split] = []
    for index in splits.indices where passed[index] <= sample(last).time {
      if !(0..<last).contains(where: { isWorkedOut(index, at: $0) }) {
        found.append(splits[index])
        continue
      }
      // Of the samples at which it was worked out, the last one that counts.
      var back = last
      while back + 1 < samples.count, !isWorkedOut(index, at: back) { back += 1 }
      found.append(split(index, at: points[index], after: found.last, upTo: back))
    }
    return found
  }

  /// Whether a split was worked out anew with a sample.
  private func isWorkedOut(_ index: Int, at back: Int) -> Bool {
    guard back + 1 < samples.count else { return true }
    let (time, before) = (sample(back).time, sample(back + 1).time)
    return before <= passed[index] + Self.refining && time >= passed[index]
      && Self.isDue(time, after: before, passed: passed[index])
  }
}
