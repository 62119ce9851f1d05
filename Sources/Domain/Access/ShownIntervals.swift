/// What a third party is shown of a person at a granularity. It is the only rule by which minutes and hours become
/// values, for exports and for digests alike.
///
/// What is shown are intervals of the granted granularity (seconds, minutes, hours), each of one metric, as the mean of
/// its readings. Those of a minute or an hour are the readings of all sources: in one of a source alone a single reading
/// could stand, that comes late and under another name, beside what was shown of that minute. Seconds, in which single
/// readings are granted, have one of each source.
/// - A minute is *closed* by the first watermark by which it is over and something of it is known. It is shown out of
///   what the log held at that watermark's position, and as it stood then: what comes later stays out, and a reading
///   that a later one replaces still counts, if that came after the watermark.
/// - An hour is closed in the same way, and is made of the readings that count in those of its minutes that are closed
///   by then. So a reading that is too late for its minute is too late for its hour, and who is shown both cannot
///   compute it from them.
/// - An interval that is not closed is not shown, nor one of which a part lies outside of what was granted.
///
/// Watermarks are the same for everyone, and so is the value of an interval: it depends neither on the grant, nor on
/// who asks, nor when, nor how. With two values of one interval, one with and one without a reading, that reading could
/// be computed, which the granularity is there to prevent.
///
/// Seconds are the finest that is granted. In digests they are closed as minutes are; streams and exports show them as
/// readings are committed.
public struct ShownIntervals: Sendable, Equatable {
  /// Intervals that ended by its start, and of which something was known at `after`, were shown before. Those that
  /// ended by its end are shown.
  public let period: Range<Microseconds>
  /// What was there before.
  public let after: LogPosition
  /// The position of a watermark that is not before the end of the period: what is there now.
  public let through: LogPosition
  public let granularity: Granularity
  /// The whole intervals of what was granted.
  public let time: Range<Microseconds>

  /// - Parameter time: what was granted.
  public init(
    period: Range<Microseconds>, after: LogPosition, through: LogPosition, granularity: Granularity,
    time: Range<Microseconds>
  ) {
    self.period = period
    self.after = after
    self.through = through
    self.granularity = granularity
    self.time = granularity.wholeIntervals(of: time)
  }

  /// Everything that is closed by a watermark.
  public init(closedBy watermark: Watermark, granularity: Granularity, time: Range<Microseconds>) {
    self.init(
      period: .min..<watermark.time, after: .min, through: watermark.position, granularity: granularity, time: time)
  }

  /// The values that are shown.
  ///
  /// - Parameters:
  ///   - versions: everything that is stored of some whole hours of a person, also what was replaced, as
  ///     `ReadingMerge.versions` gives it.
  ///   - watermarks: those that close the intervals.
  public func shown(of versions: ReadingBlock, by watermarks: Watermarks) -> ReadingColumns {
    var indices: [Int32] = []
    var base = 0
    for keys in [versions.scalarKeys, versions.positionKeys, versions.waveformKeys] {
      pick(keys, from: base, by: watermarks, into: &indices)
      base += keys.count
    }
    if indices.isEmpty { return ReadingColumns() }
    var picked = ReadingColumns()
    picked.append(indices, of: versions.columns)
    return picked.shown(at: granularity)
  }

  /// The greatest position at which something became known of an interval that is over, and that `through` does not
  /// reach: a watermark there would close it. Nil if there is none.
  public func unreached(of versions: ReadingBlock) -> LogPosition? {
    var greatest: LogPosition?
    for keys in [versions.scalarKeys, versions.positionKeys, versions.waveformKeys] {
      for (interval, first) in ClosedReadings.firsts(keys, granularity, in: time)
      where first > through && interval.end(granularity) <= period.upperBound {
        greatest = max(greatest ?? first, first)
      }
    }
    return greatest
  }

  private func pick(_ keys: ReadingKeys, from base: Int, by watermarks: Watermarks, into indices: inout [Int32]) {
    if keys.count == 0 { return }
    let unit = granularity.unit
    let counting = ClosedReadings(keys, unit, in: time, by: watermarks)
    let isHigher = unit != granularity
    let firsts = isHigher ? ClosedReadings.firsts(keys, granularity, in: time) : counting.firsts
    var closings: [IntervalID: Watermark] = [:]
    for (interval, first) in firsts {
      let end = interval.end(granularity)
      guard end <= period.upperBound, first <= through, end > period.lowerBound || first > after else { continue }
      closings[interval] = watermarks.closing(end: end, first: first)
    }
    if closings.isEmpty { return }
    for index in counting.indices {
      guard let closing = closings[IntervalID(keys, index, granularity)] else { continue }
      // A minute of which the first reading came after its hour was closed.
      if isHigher, let own = counting.closings[IntervalID(keys, index, unit)], own > closing { continue }
      indices.append(Int32(base + index))
    }
  }
}

/// The readings that count for ever: each as it stood when its interval was closed.
struct ClosedReadings {
  /// Where something of each interval is first known.
  let firsts: [IntervalID: LogPosition]
  /// What closes each interval that is closed.
  let closings: [IntervalID: Watermark]
  /// The numbers of the readings, rising.
  let indices: [Int]

  /// - Parameter keys: of versions, in the order of `ReadingMerge.versions`.
  init(_ keys: ReadingKeys, _ granularity: Granularity, in time: Range<Microseconds>, by watermarks: Watermarks) {
    firsts = Self.firsts(keys, granularity, in: time)
    var closings: [IntervalID: Watermark] = [:]
    for (interval, first) in firsts {
      closings[interval] = watermarks.closing(end: interval.end(granularity), first: first)
    }
    var indices: [Int] = []
    var last: (id: IntervalID, closing: Watermark?)?
    for index in 0..<keys.count where time.contains(keys.time[index]) {
      let id = IntervalID(keys, index, granularity)
      if last?.id != id { last = (id, closings[id]) }
      guard let closing = last?.closing, keys.logPosition[index] <= closing.position else { continue }
      // Versions of a reading stand side by side, the newest last.
      if let last = indices.last, keys.isSameReading(last, index) { indices.removeLast() }
      indices.append(index)
    }
    self.closings = closings
    self.indices = indices
  }

  static func firsts(
    _ keys: ReadingKeys, _ granularity: Granularity, in time: Range<Microseconds>
  ) -> [IntervalID: LogPosition] {
    var firsts: [IntervalID: LogPosition] = [:]
    // Neighbours are mostly of one interval: then it is looked up once.
    var run: (id: IntervalID, first: LogPosition)?
    for index in 0..<keys.count where time.contains(keys.time[index]) {
      let position = keys.logPosition[index]
      let id = IntervalID(keys, index, granularity)
      if let known = run, known.id == id {
        run = (id, min(known.first, position))
      } else {
        if let run { firsts[run.id] = min(firsts[run.id] ?? .max, run.first) }
        run = (id, position)
      }
    }
    if let run { firsts[run.id] = min(firsts[run.id] ?? .max, run.first) }
    return firsts
  }
}

/// What readings of a person have in common that are shown together.
struct IntervalID: Hashable {
  let metric: MetricID
  /// 0 where an interval has the readings of all.
  let source: SourceID
  let start: Microseconds

  init(_ keys: ReadingKeys, _ index: Int, _ granularity: Granularity) {
    metric = keys.metric[index]
    source = granularity.shown(keys.source[index])
    start = granularity.start(of: keys.time[index])
  }

  func end(_ granularity: Granularity) -> Microseconds {
    let (end, overflow) = start.addingReportingOverflow(granularity.length)
    return overflow ? .max : end
  }
}

extension Granularity {
  /// Whether readings of different sources are shown apart.
  var tellsSources: Bool { self == .second }

  /// The source of what is shown of a reading; 0, no name, where sources are not told.
  func shown(_ source: SourceID) -> SourceID { tellsSources ? source : 0 }

  /// The intervals in which readings are closed: hours are made of minutes.
  var unit: Granularity { self == .hour ? .minute : self }

  /// The part of an interval that whole seconds, minutes or hours make up; ends that stand for no end stay.
  func wholeIntervals(of interval: Range<Microseconds>) -> Range<Microseconds> {
    let upper = interval.upperBound == .max ? .max : start(of: max(interval.upperBound, .min + length))
    var lower = interval.lowerBound
    if lower != .min, start(of: max(lower, .min + length)) != lower {
      lower = lower < .max - length ? start(of: max(lower, .min + length)) + length : .max
    }
    return lower..<max(lower, upper)
  }
}

extension ReadingKeys {
  func isSameReading(_ a: Int, _ b: Int) -> Bool {
    time[a] == time[b] && person[a] == person[b] && metric[a] == metric[b] && source[a] == source[b]
  }
}
