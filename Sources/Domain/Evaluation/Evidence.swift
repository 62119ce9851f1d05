/// The readings of one metric from one source in the order of their times, kept while some of them are beyond a limit or
/// came out of order. Bounded: what is older than the time of freshness goes, except the beginning of a run that reaches
/// into it.
struct Evidence: Sendable {
  struct Entry: Sendable {
    var time: Microseconds
    var value: Double
    /// The server's time of receipt.
    var received: Microseconds
    var side: Side
  }

  /// The most entries: 5 minutes at more than 1 Hz. Of a faster source's runs the inner ones go first.
  static let maxEntries = 512

  let metric: MetricID
  var source: SourceID
  private(set) var entries: [Entry] = []
  /// Where fine readings lie that are no entries, and the widest gap between neighbours of them.
  private var hidden: ClosedRange<Microseconds>
  private var hiddenGap: Microseconds
  /// When the last reading was received that is beyond a limit or came out of order.
  var disturbed: Microseconds

  /// Goes on from what a track remembers.
  init(of track: VitalTrack, received: Microseconds) {
    metric = track.metric
    source = track.source
    let since = min(track.since, track.newest)
    hidden = since...track.newest
    hiddenGap = track.widestGap
    disturbed = received
    if track.sinceIsReading, since < track.newest {
      entries.append(Entry(time: since, value: track.value, received: received, side: .within))
    }
    entries.append(Entry(time: track.newest, value: track.value, received: received, side: .within))
  }

  /// Begins with the first reading of a source.
  init(metric: MetricID, source: SourceID, first: Entry) {
    self.metric = metric
    self.source = source
    // No reading lies there: a gap as wide as this hides nothing.
    hidden = first.time...first.time
    hiddenGap = .max / 4
    disturbed = first.received
    entries = [first]
  }

  func isOf(_ metric: MetricID, _ source: SourceID) -> Bool { self.metric == metric && self.source == source }

  var newest: Entry? { entries.last }
  /// Whether any reading that is still kept is beyond a limit.
  var isDisturbing: Bool { entries.contains { $0.side != .within } }

  /// Puts a reading in its place. Of two with the same time one beyond a limit counts, a low one before a high one, so
  /// that it does not matter which came first; of two that say the same the value of the later.
  ///
  /// - Returns: its place; nil if another counts instead of it.
  mutating func insert(_ entry: Entry) -> Int? {
    var place = entries.count
    while place > 0, entries[place - 1].time > entry.time { place -= 1 }
    if place > 0, entries[place - 1].time == entry.time {
      let old = entries[place - 1]
      if old.side == entry.side {
        entries[place - 1].value = entry.value
        return nil
      }
      guard entry.side == .low || old.side == .within else { return nil }
      entries[place - 1] = entry
      return place - 1
    }
    entries.insert(entry, at: place)
    return place
  }

  /// The places of the run of readings on one side about a place.
  func run(about place: Int) -> ClosedRange<Int> {
    var (first, last) = (place, place)
    while first > 0, entries[first - 1].side == entries[place].side { first -= 1 }
    while last + 1 < entries.count, entries[last + 1].side == entries[place].side { last += 1 }
    return first...last
  }

  /// The earliest reading of a run that no fine reading separates from one of its later readings, as far as is known.
  private func beginning(of run: ClosedRange<Int>, reaching last: Int) -> Int {
    var first = run.lowerBound
    while first < last, isSeparated(entries[first].time, entries[last].time) { first += 1 }
    return first
  }

  /// Whether a fine reading that is no entry surely lies between two times. In doubt it does not: a false alarm is better
  /// than none.
  private func isSeparated(_ earlier: Microseconds, _ later: Microseconds) -> Bool {
    min(later, hidden.upperBound) - max(earlier, hidden.lowerBound) > hiddenGap
  }

  /// The first pair of readings in the run about a place that are as far apart as the hold time.
  ///
  /// - Parameters:
  ///   - fresh: the later one is not older than this.
  ///   - hold: the hold time that counts at a time.
  func completedPair(
    about place: Int, fresh: Microseconds, hold: (Microseconds) -> Microseconds
  ) -> (first: Entry, last: Entry)? {
    let run = run(about: place)
    for last in run where entries[last].time >= fresh {
      let first = beginning(of: run, reaching: last)
      if entries[last].time - entries[first].time >= hold(entries[last].time) { return (entries[first], entries[last]) }
    }
    return nil
  }

  /// The newest run, if it is beyond a limit: its first reading, its newest, and when the first of it was received.
  var current: (first: Entry, last: Entry, received: Microseconds)? {
    guard let last = entries.last, last.side != .within else { return nil }
    let run = run(about: entries.count - 1)
    let first = beginning(of: run, reaching: run.upperBound)
    return (entries[first], last, entries[first...run.upperBound].lazy.map(\.received).min() ?? last.received)
  }

  /// Lets go of what is older than the horizon, except the newest and the beginning of what reaches into the time after
  /// it.
  mutating func trim(before horizon: Microseconds) {
    while entries.count > 1, entries[1].time <= horizon {
      if entries[0].side != entries[1].side {
        entries.removeFirst()
      } else if entries.count > 2 {
        entries.remove(at: 1)
      } else {
        break
      }
    }
    guard entries.count > Self.maxEntries else { return }
    // The ends of runs say all that the middle says, except to a fine reading that comes late.
    var kept: [Entry] = []
    kept.reserveCapacity(entries.count)
    for (place, entry) in entries.enumerated() {
      let isInner =
        place > 0 && place + 1 < entries.count / 2 && entries[place - 1].side == entry.side
        && entries[place + 1].side == entry.side
      if !isInner { kept.append(entry) }
    }
    if kept.count > Self.maxEntries { kept.removeFirst(Self.maxEntries / 4) }
    entries = kept
  }

  /// Judges the readings anew.
  mutating func judge(_ side: (Entry) -> Side) {
    for place in entries.indices { entries[place].side = side(entries[place]) }
  }

  /// What a track has to remember when all of it is fine.
  var summary: (since: Microseconds, widestGap: Microseconds) {
    guard let first = entries.first else { return (hidden.upperBound, 0) }
    var widest: Microseconds = 0
    for (earlier, later) in zip(entries, entries.dropFirst()) {
      // What is hidden between the two makes the gap between them no wider than it was.
      let isHidden = hidden.lowerBound <= earlier.time && later.time <= hidden.upperBound
      widest = max(widest, isHidden ? min(later.time - earlier.time, hiddenGap) : later.time - earlier.time)
    }
    return (first.time, widest)
  }
}
