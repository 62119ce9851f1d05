internal import Domain

/// The readings of one metric from one source in the order of their times, kept while some of them are beyond a limit or
/// came out of order.
///
/// A run of neighbours on one side of a limit speaks for a crossing; a fine reading between two of them speaks against it.
/// What is older than the time of freshness goes, except the beginning of a run that reaches into it.
///
/// Times are those of the source's clock. When that clock is set back, what came before is moved to before it: see
/// `note(_:)`.
///
/// No reading costs more than a few walks along `maxEntries`. The methods add to `steps` how many entries they look at or
/// move.
struct Evidence: Sendable {
  struct Entry: Sendable {
    var time: Microseconds
    var value: Double
    /// The server's time of receipt.
    var received: Microseconds
    var side: Side
  }

  /// The most entries: 5 minutes at more than 1 Hz. Of a faster source's runs every second inner one goes first, then the
  /// oldest, but never the ends of a run.
  static let maxEntries = 512

  let metric: MetricID
  var source: SourceID
  var entries: [Entry] = []
  /// Where fine readings lie that are no entries, and the widest gap between neighbours of them.
  var hidden: ClosedRange<Microseconds>
  private var hiddenGap: Microseconds
  /// When the last reading was received that is beyond a limit or came out of order.
  var disturbed: Microseconds
  /// When the message with the last reading was received, and the one before it.
  var message: Microseconds
  var earlierMessage: Microseconds
  /// The last readings, if they came behind the newest.
  var stretch: Stretch?

  /// Goes on from what a track remembers.
  init(of track: VitalTrack, received: Microseconds) {
    metric = track.metric
    source = track.source
    let since = min(track.since, track.newest)
    hidden = since...track.newest
    hiddenGap = track.widestGap
    disturbed = received
    message = min(track.received, received)
    earlierMessage = message
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
    message = first.received
    earlierMessage = message
    entries = [first]
  }

  func isOf(_ metric: MetricID, _ source: SourceID) -> Bool { self.metric == metric && self.source == source }

  var newest: Entry? { entries.last }
  /// Whether any reading that is still kept is beyond a limit.
  var isDisturbing: Bool { entries.contains { $0.side != .within } }

  /// The place of the first entry later than a time.
  private func place(after time: Microseconds, _ steps: inout Int) -> Int {
    guard let newest, newest.time > time else { return entries.count }
    var (low, high) = (0, entries.count - 1)
    while low < high {
      steps += 1
      let middle = (low + high) / 2
      if entries[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The place of the entry of a time.
  func place(of time: Microseconds, _ steps: inout Int) -> Int? {
    let place = place(after: time, &steps)
    return place > 0 && entries[place - 1].time == time ? place - 1 : nil
  }

  /// Puts a reading in its place. Of two with the same time one beyond a limit counts, a low one before a high one, so
  /// that it does not matter which came first; of two that say the same the value of the later.
  ///
  /// - Returns: whether it counts; false if another counts instead of it.
  mutating func insert(_ entry: Entry, _ steps: inout Int) -> Bool {
    let place = place(after: entry.time, &steps)
    if place > 0, entries[place - 1].time == entry.time {
      let old = entries[place - 1]
      if old.side == entry.side {
        entries[place - 1].value = entry.value
        return false
      }
      guard entry.side == .low || old.side == .within else { return false }
      entries[place - 1] = entry
      return true
    }
    entries.insert(entry, at: place)
    steps += entries.count - place
    bound(&steps)
    return true
  }

  /// The places of the run of readings on one side about a place.
  private func run(about place: Int, _ steps: inout Int) -> ClosedRange<Int> {
    var (first, last) = (place, place)
    while first > 0, entries[first - 1].side == entries[place].side { first -= 1 }
    while last + 1 < entries.count, entries[last + 1].side == entries[place].side { last += 1 }
    steps += last - first
    return first...last
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
  ///   - shortest: no hold time is shorter.
  ///   - hold: the hold time that counts at a time.
  func completedPair(
    about place: Int, fresh: Microseconds, shortest: Microseconds, _ steps: inout Int,
    hold: (Microseconds) -> Microseconds
  ) -> (first: Entry, last: Entry)? {
    let run = run(about: place, &steps)
    // The earliest that no fine reading separates from the later one: it never moves back as that one moves on.
    var first = run.lowerBound
    for last in run {
      steps += 1
      while first < last, isSeparated(entries[first].time, entries[last].time) {
        steps += 1
        first += 1
      }
      let span = entries[last].time - entries[first].time
      if span >= shortest, entries[last].time >= fresh, span >= hold(entries[last].time) {
        return (entries[first], entries[last])
      }
    }
    return nil
  }

  /// The newest run, if it is beyond a limit: its first reading, its newest, and when the first of it was received.
  func current(_ steps: inout Int) -> (first: Entry, last: Entry, received: Microseconds)? {
    guard let last = entries.last, last.side != .within else { return nil }
    let run = run(about: entries.count - 1, &steps)
    var first = run.lowerBound
    while first < run.upperBound, isSeparated(entries[first].time, last.time) { first += 1 }
    steps += run.count
    return (entries[first], last, entries[first...run.upperBound].lazy.map(\.received).min() ?? last.received)
  }

  /// Lets go of what is older than the horizon, except the newest and the beginning of what reaches into the time after
  /// it.
  mutating func trim(before horizon: Microseconds) {
    guard entries.count > 1, entries[1].time <= horizon else { return }
    var last = 1
    while last + 1 < entries.count, entries[last + 1].time <= horizon { last += 1 }
    var first = last
    while first > 0, entries[first - 1].side == entries[last].side { first -= 1 }
    let end = last + 1 == entries.count ? last : last + 1
    if first + 1 < end { entries.removeSubrange(first + 1..<end) }
    entries.removeFirst(first)
  }

  /// Makes room when there are too many, for a quarter of them, so that it is seldom done.
  ///
  /// What goes must not silence an alarm. Without inner readings a run is as long as before; when a late fine reading
  /// divides it, what is left begins at the next that was kept. Without the oldest there is less that speaks against a
  /// crossing, and a run beyond a limit keeps its beginning.
  private mutating func bound(_ steps: inout Int) {
    guard entries.count > Self.maxEntries else { return }
    steps += entries.count
    var kept: [Entry] = []
    kept.reserveCapacity(Self.maxEntries + 1)
    var isSecond = false
    for (place, entry) in entries.enumerated() {
      let isInner =
        place > 0 && place + 1 < entries.count && entries[place - 1].side == entry.side
        && entries[place + 1].side == entry.side
      isSecond = isInner && !isSecond
      if !isSecond { kept.append(entry) }
    }
    let surplus = kept.count - Self.maxEntries * 3 / 4
    if surplus > 0 {
      var first = surplus
      if kept[surplus].side != .within {
        while first > 0, kept[first - 1].side == kept[surplus].side { first -= 1 }
      }
      if first < surplus { kept[surplus - 1] = kept[first] }
      kept.removeFirst(first < surplus ? surplus - 1 : surplus)
    }
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
