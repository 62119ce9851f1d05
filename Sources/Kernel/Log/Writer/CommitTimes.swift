internal import DequeModule
internal import Domain

/// When positions of the log were committed, about: to say how far in time somebody is behind it. It takes little memory,
/// however long the log goes on: the longer ago something was, the less exactly it is known.
struct CommitTimes {
  private struct Mark {
    let position: LogPosition
    let time: ContinuousClock.Instant
  }

  static let maxMarks = 1_024
  /// What comes within it after a mark has none of its own.
  private static let interval: Duration = .milliseconds(100)
  /// A mark that is nearer to the one before than this part of its age is not needed. So there are some 800 of a year.
  private static let needed = 40

  private var marks: Deque<Mark> = []
  private let began: ContinuousClock.Instant

  /// - Parameter began: what is older counts from then on.
  init(began: ContinuousClock.Instant = .now) { self.began = began }

  /// Notes a commit, in the order of positions.
  /// - Parameter position: the first one of it.
  mutating func note(_ position: LogPosition, at time: ContinuousClock.Instant) {
    if let last = marks.last, time - last.time < Self.interval { return }
    if marks.count >= Self.maxMarks { thin(at: time) }
    if marks.count >= Self.maxMarks { marks.removeFirst() }
    marks.append(Mark(position: position, time: time))
  }

  private mutating func thin(at now: ContinuousClock.Instant) {
    var kept: Deque<Mark> = []
    for mark in marks {
      if let last = kept.last, mark.time - last.time < (now - mark.time) / Self.needed { continue }
      kept.append(mark)
    }
    marks = kept
  }

  /// When a position was committed: not before that, and later by no more than a tenth of a second and a tenth of the
  /// time that has passed since.
  func time(of position: LogPosition) -> ContinuousClock.Instant {
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? marks[low - 1].time : began
  }
}
