/// What the log says of one runner of a race.
struct RunnerState: Sendable {
  enum Correction: Sendable {
    case finishTime(Microseconds)
    case didNotFinish
  }

  /// For this long nobody stands about and is still exerting oneself.
  private static let exertionLasts: Microseconds = 15 * 60_000_000
  private static let standingAfter: Microseconds = 60_000_000
  private static let silentAfter: Microseconds = 30_000_000
  /// A single position beside the course does not mean that the runner has left it.
  private static let leftAfter: Microseconds = 10_000_000

  let runner: RaceRunner
  private(set) var track: RunnerTrack
  private(set) var isPresent = false
  private(set) var isWithdrawn = false
  private(set) var retired: Microseconds?
  private(set) var correction: Correction?
  private(set) var isDisqualified = false
  /// Where the marker was when the runner was disqualified; nil if there was none.
  private(set) var frozen: Double?

  init(runner: RaceRunner, starts: Microseconds, pointCount: Int) {
    self.runner = runner
    track = RunnerTrack(starts: starts, pointCount: pointCount)
  }

  mutating func take(
    _ fix: Fix, on map: CourseMap, points: [Double], _ scratch: inout Hypotheses.Scratch
  ) {
    if let retired, fix.time > retired { return }
    track.take(fix, on: map, points: points, &scratch)
  }

  /// - Parameter state: the race's at the time of the change.
  mutating func apply(_ change: RaceChange, in state: RaceState, length: Double) {
    switch change.kind {
    case .present: isPresent = true
    case .absent: isPresent = false
    case .disqualified:
      guard !isDisqualified else { return }
      frozen = marker(at: change.time, in: state, length: length)
      isDisqualified = true
    case .reinstated: (isDisqualified, frozen) = (false, nil)
    case .retired: retired = retired ?? change.time
    case .finishTime: correction = .finishTime(change.finishTime)
    case .didNotFinish: correction = .didNotFinish
    case .asMeasured: correction = nil
    case .withdrawn: isWithdrawn = true
    case .raceFinished, .raceCancelled: break
    }
  }

  /// Where the marker is in metres along the course; nil if there is none (A-R24, A-R26).
  func marker(at time: Microseconds, in state: RaceState, length: Double) -> Double? {
    if isDisqualified { return frozen }
    switch state {
    case .draft, .enrolmentOpen, .cancelled: return nil
    case .enrolmentClosed: return 0
    case .running, .finished:
      guard isPresent, let view = view(at: time) else { return nil }
      if state == .finished { return length }
      if case .finishTime = correction { return length }
      return view.hasArrived ? length : view.distance
    }
  }

  func isExerting(at time: Microseconds, since starts: Microseconds) -> Bool {
    guard isPresent, !isWithdrawn, !isDisqualified, retired == nil, correction == nil else { return false }
    guard let view = view(at: time) else { return time - starts < Self.exertionLasts }
    return !view.hasArrived && time - view.resting < Self.exertionLasts
  }

  /// What the positions up to a time say; nil if none was on the course.
  func view(at time: Microseconds) -> RunnerTrack.View? {
    track.view(at: min(time, retired ?? .max))
  }

  /// The line of the leaderboard, without its rank.
  func row(at time: Microseconds, in state: RaceState, length: Double) -> BoardRow {
    var row = BoardRow(person: runner.person, number: runner.number, name: runner.name, status: .enrolled)
    row.isGrey = isDisqualified
    if let marker = marker(at: time, in: state, length: length) { (row.hasMarker, row.marker) = (true, marker) }
    guard state == .running || state == .finished else {
      if isDisqualified { row.status = .disqualified }
      return row
    }
    let view = view(at: time)
    if let view {
      row.distance = view.hasArrived ? length : view.distance
      row.uncertainty = view.hasArrived ? 0 : view.sigma
      row.fixTime = view.time
      row.splits = view.splits
      if view.hasArrived { row.finishTime = view.splits.last?.time }
    }
    row.status = status(view, at: time, in: state)
    switch correction {
    case .finishTime(let finish):
      (row.finishTime, row.isCorrected, row.distance, row.uncertainty) = (finish, true, length, 0)
    case .didNotFinish: (row.finishTime, row.isCorrected) = (nil, true)
    case nil: break
    }
    return row
  }

  private func status(_ view: RunnerTrack.View?, at time: Microseconds, in state: RaceState) -> RunnerStatus {
    if isDisqualified { return .disqualified }
    switch correction {
    case .finishTime: return .finished
    case .didNotFinish: return .didNotFinish
    case nil: break
    }
    guard isPresent else { return .absent }
    if let view, view.hasArrived { return .finished }
    if retired != nil { return .retired }
    guard let view else { return .notSeen }
    if state == .finished { return .didNotFinish }
    if time - view.time > Self.silentAfter { return .noSignal }
    if view.time - view.good >= Self.leftAfter { return .offCourse }
    return view.time - view.resting >= Self.standingAfter ? .standing : .running
  }
}

extension RunnerTrack {
  /// What was known at a time.
  struct View {
    var distance: Double
    var sigma: Double
    /// Of the last position, and of the last one that was on the course.
    var time: Microseconds
    var good: Microseconds
    /// Since when the runner has not moved on.
    var resting: Microseconds
    var splits: [Split]
    var hasArrived: Bool
  }

  /// What the positions up to a time say; nil if none of them was on the course. Times long before the newest position are
  /// forgotten: then it is the oldest that is remembered.
  func view(at time: Microseconds) -> View? {
    guard let good = lastGood else { return nil }
    if time >= self.time {
      return View(
        distance: distance, sigma: sigma, time: self.time, good: good, resting: resting, splits: splits,
        hasArrived: splits.count == pointCount)
    }
    var back = 1
    while back < samples.count - 1, sample(back).time > time { back += 1 }
    guard back < samples.count else { return nil }
    let known = sample(back)
    if known.time > time, samples.count < Self.kept || known.good == .min { return nil }
    if known.good == .min { return nil }
    let count = passed.prefix { $0 <= time }.count
    return View(
      distance: Double(known.distance), sigma: Double(known.sigma), time: known.time, good: known.good,
      resting: known.resting, splits: Array(splits[..<count]), hasArrived: count == pointCount)
  }
}
