internal import Domain

/// What the log says of one runner of a race.
struct RunnerState: Sendable {
  enum Correction: Sendable {
    case finishTime(Microseconds)
    case didNotFinish
  }

  /// What was known when the runner was disqualified.
  struct Frozen: Sendable {
    let view: RunnerTrack.View?
    /// Where the marker was; nil if there was none.
    let marker: Double?
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
  private(set) var disqualified: Frozen?

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
  mutating func apply(_ change: RaceChange, in state: RaceState, points: [Double]) {
    switch change.kind {
    case .present: isPresent = true
    case .absent: isPresent = false
    case .disqualified:
      guard disqualified == nil else { return }
      let view = view(at: change.time, points: points)
      disqualified = Frozen(view: view, marker: marker(view, in: state, length: points[points.count - 1]))
    case .reinstated: disqualified = nil
    case .retired: retired = retired ?? change.time
    case .finishTime: correction = .finishTime(change.finishTime)
    case .didNotFinish: correction = .didNotFinish
    case .asMeasured: correction = nil
    case .withdrawn: isWithdrawn = true
    case .raceFinished, .raceCancelled, .planChanged: break
    }
  }

  /// Where the marker is in metres along the course; nil if there is none (A-R24, A-R26).
  private func marker(_ view: RunnerTrack.View?, in state: RaceState, length: Double) -> Double? {
    if let disqualified { return disqualified.marker }
    switch state {
    case .draft, .enrolmentOpen, .cancelled, .disabled: return nil
    case .enrolmentClosed: return 0
    case .running, .finished:
      guard isPresent, let view else { return nil }
      if state == .finished || view.hasArrived { return length }
      if case .finishTime = correction { return length }
      return view.distance
    }
  }

  func isExerting(at time: Microseconds, since starts: Microseconds, points: [Double]) -> Bool {
    guard isPresent, !isWithdrawn, disqualified == nil, retired == nil, correction == nil else { return false }
    guard let view = view(at: time, points: points) else { return time - starts < Self.exertionLasts }
    return !view.hasArrived && time - view.resting < Self.exertionLasts
  }

  /// What the positions up to a time say; nil if none was on the course.
  private func view(at time: Microseconds, points: [Double]) -> RunnerTrack.View? {
    if let disqualified { return disqualified.view }
    return track.view(at: min(time, retired ?? .max), points: points)
  }

  /// The line of the leaderboard, without its rank.
  /// - Parameter state: of the race at that time.
  func row(at time: Microseconds, in state: RaceState, points: [Double]) -> BoardRow {
    let length = points[points.count - 1]
    var row = BoardRow(person: runner.person, number: runner.number, name: runner.name, status: .enrolled)
    row.isGrey = disqualified != nil
    let view = view(at: time, points: points)
    if let marker = marker(view, in: state, length: length) { (row.hasMarker, row.marker) = (true, marker) }
    guard state == .running || state == .finished else {
      if disqualified != nil { row.status = .disqualified }
      return row
    }
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
    if disqualified != nil { return .disqualified }
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
