internal import Domain

/// A source's clock that is set back.
///
/// A reading that comes behind the newest of its source is late, or the clock of its source has been set back. A late one
/// is judged by what was measured before and after it. After a step back that would be wrong: what the clock said before
/// is then no evidence about the same times by the new clock, and fine readings of before the step would hide what is
/// beyond a limit now. So the step is told from lateness:
/// - the newest reading is from the future, by more than any clock that is right, and the reading is far behind it: there
///   a step is the better explanation at once (`PersonMonitor.isSetBack`);
/// - readings behind the newest arrive as fast as they were taken, with nothing newer among them, as from a clock that
///   goes on: `Stretch`. Within one message that may be a mere matter of order: in that doubt it calls, and moves nothing.
///
/// What came before is then moved to before what came after, as far as the server's clock says, so that a crossing goes
/// on over the step.
extension Evidence {
  /// Consecutive readings that came behind the newest and keep pace with the server's clock.
  struct Stretch: Sendable {
    /// Further behind than this may begin one; more than delays vary. A step back of less needs none: the clock has soon
    /// passed what it said before.
    static let minStep: Microseconds = 3_000_000
    /// How much the delays of readings may vary.
    static let jitter: Microseconds = 2_000_000
    /// A stretch whose end has been beyond a limit for so long shows a step: to wait longer would make an alarm late.
    static let shows: Microseconds = Limits.defaultHold
    /// A stretch as long as this shows a step whatever its values are.
    static let showsAnyway: Microseconds = 10_000_000
    /// How many fine readings that do not belong to it end it.
    static let maxStrays = 4

    let first: Entry
    private(set) var last: Entry
    /// Its times.
    private(set) var low: Microseconds
    private(set) var high: Microseconds
    /// How far its clock is behind the server's, as far as is known.
    private(set) var lag: Microseconds
    /// When the message before its first was received.
    let before: Microseconds
    /// The time of the newest reading, if its clock was right.
    private let newest: Microseconds
    /// The earliest reading of its end on one side.
    private(set) var sideFirst: Entry
    /// How many fine readings since its last came behind the newest and do not belong to it.
    var strays = 0

    init(_ entry: Entry, before: Microseconds, behind newest: Microseconds) {
      (first, last, sideFirst) = (entry, entry, entry)
      (low, high) = (entry.time, entry.time)
      lag = entry.received - entry.time
      self.before = before
      self.newest = newest
    }

    /// Whether all of it was taken between two messages, if it came in one.
    private func fits(after earliest: Microseconds) -> Bool { high - low <= first.received - earliest + Self.jitter }

    /// Takes the next reading.
    /// - Parameter earlier: when the message before its own was received.
    /// - Returns: whether it keeps pace; it is not taken otherwise.
    mutating func take(_ entry: Entry, earlier: Microseconds) -> Bool {
      var next = self
      (next.low, next.high) = (min(low, entry.time), max(high, entry.time))
      if entry.received == first.received {
        guard next.fits(after: before) || (entry.time > high && next.fits(after: newest)) else { return false }
        next.lag = entry.received - next.high
      } else {
        let taken = entry.time + lag
        guard earlier - Self.jitter <= taken, taken <= entry.received + Self.jitter else { return false }
      }
      if entry.side != last.side || entry.time < sideFirst.time { next.sideFirst = entry }
      next.last = entry
      next.strays = 0
      self = next
      return true
    }

    /// Whether its end has been beyond a limit for long.
    var isBeyond: Bool { last.side != .within && high - sideFirst.time >= Self.shows }
    /// Whether it surely keeps pace.
    var isSure: Bool { last.received != first.received || fits(after: before) }
  }

  /// What a reading says about the clock of its source.
  enum ClockNote {
    case nothing
    /// It has been set back: then `setBack()` follows.
    case setBack
    /// It may have been, and if so these were beyond a limit with nothing between them.
    case inDoubt(first: Entry, last: Entry)
  }

  /// Notes that a reading has arrived, before it is inserted.
  mutating func note(_ entry: Entry, _ steps: inout Int) -> ClockNote {
    if entry.received != message { (earlierMessage, message) = (message, entry.received) }
    guard let newest, entry.time < newest.time else {
      if entry.time > newest?.time ?? .min { stretch = nil }
      return .nothing
    }
    // What comes twice says nothing.
    if let place = place(of: entry.time, &steps), entries[place].value == entry.value { return .nothing }
    if stretch?.take(entry, earlier: earlierMessage) == true, let stretch {
      if stretch.isSure {
        return stretch.isBeyond || stretch.high - stretch.low >= Stretch.showsAnyway ? .setBack : .nothing
      }
      return stretch.isBeyond ? .inDoubt(first: stretch.sideFirst, last: stretch.last) : .nothing
    }
    // Fine ones that come late, or twice, do not end it at once.
    if entry.side == .within, let strays = stretch?.strays, strays < Stretch.maxStrays {
      stretch?.strays = strays + 1
    } else {
      stretch =
        newest.time - entry.time > Stretch.minStep
        ? Stretch(entry, before: earlierMessage, behind: min(newest.time, earlierMessage)) : nil
    }
    return .nothing
  }

  /// Moves what came before the stretch to before it.
  mutating func setBack(_ steps: inout Int) {
    guard let stretch, let newest else { return }
    let end = min(stretch.low - 1, stretch.before - stretch.lag)
    let shift = newest.time - end
    let isOwn = { (entry: Entry) in
      entry.received >= stretch.first.received && stretch.low <= entry.time && entry.time <= stretch.high
    }
    steps += 2 * entries.count
    let own = entries.filter(isOwn)
    entries.removeAll(where: isOwn)
    move(by: -shift)
    entries += own
    self.stretch = nil
    // Where an entry of before had the same time, it was kept instead.
    _ = insert(stretch.first, &steps)
    _ = insert(stretch.last, &steps)
  }

  /// Moves everything to before a reading whose clock has been set back, which is not in it yet: the newest to when it
  /// was received, if that is before the reading. A fine one that was alone in the future goes: it may have come twice,
  /// and be of before an earlier step.
  mutating func setBack(to entry: Entry, _ steps: inout Int) {
    guard var newest else { return }
    steps += entries.count
    if newest.side == .within, entries.count > 1, entries[entries.count - 2].time < entry.time {
      entries.removeLast()
      newest = entries[entries.count - 1]
    }
    guard newest.time >= entry.time else {
      stretch = nil
      return
    }
    let lead = max(0, entry.time - entry.received)
    move(by: min(entry.time - 1, newest.received + lead) - newest.time)
    stretch = nil
  }

  private mutating func move(by shift: Microseconds) {
    // Nothing overflows, however often it is moved.
    let moved = { (time: Microseconds) in max(time + shift, -.max / 4) }
    for place in entries.indices { entries[place].time = moved(entries[place].time) }
    hidden = moved(hidden.lowerBound)...moved(hidden.upperBound)
  }
}
