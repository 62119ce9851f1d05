/// Which values belong to one digest.
///
/// What a digest shows are intervals of the granted granularity (seconds, minutes, hours), each of one metric and
/// source, as the mean of its readings. An interval belongs to the first digest for which it is over, that is, not after
/// the end of the period, and for which a reading of it is there, that is, not after `through` in the log. So
/// - each interval is shown once, when it is over, with everything that is there by then;
/// - readings that come late, for an interval that nothing was known of, come with the next digest;
/// - readings that come later still, for an interval that has been shown, stay out: from two means of one interval,
///   with and without a reading, that reading could be computed, which the granularity is there to prevent.
///
/// It is the same whenever it is worked out from the same readings. A reading that a later one replaces is gone, also
/// from digests that are worked out again; an interval of which every reading is replaced is shown again.
public struct DigestWindow: Sendable, Equatable {
  /// Intervals that ended by its start belong to earlier digests, as far as they were known.
  public let period: Range<Microseconds>
  /// What was there for the digest before.
  public let after: LogPosition
  /// What is there for this one.
  public let through: LogPosition
  public let granularity: Granularity
  /// Only readings that were taken in it count: what was granted.
  public let time: Range<Microseconds>

  public init(
    period: Range<Microseconds>, after: LogPosition, through: LogPosition, granularity: Granularity,
    time: Range<Microseconds>
  ) {
    self.period = period
    self.after = after
    self.through = through
    self.granularity = granularity
    self.time = time
  }

  /// The values that belong to the digest, out of all readings that are stored of some whole hours.
  ///
  /// - Parameter block: sorted by time, without repeats, with log positions.
  public func shown(of block: ReadingBlock) -> ReadingColumns {
    var indices: [Int32] = []
    pick(block.scalarKeys, from: 0, into: &indices)
    pick(block.positionKeys, from: block.columns.scalars.count, into: &indices)
    pick(block.waveformKeys, from: block.columns.scalars.count + block.columns.positions.count, into: &indices)
    if indices.isEmpty { return ReadingColumns() }
    var picked = ReadingColumns()
    picked.append(indices, of: block.columns)
    return picked.shown(at: granularity)
  }

  /// What readings have in common that are shown together.
  private struct Interval: Hashable {
    let metric: MetricID
    let source: SourceID
    let start: Microseconds
  }

  private func pick(_ keys: ReadingKeys, from base: Int, into indices: inout [Int32]) {
    var earlier: Set<Interval> = []
    for index in 0..<keys.count where keys.logPosition[index] <= after && time.contains(keys.time[index]) {
      let start = granularity.start(of: keys.time[index])
      guard end(of: start) <= period.lowerBound else { continue }
      earlier.insert(Interval(metric: keys.metric[index], source: keys.source[index], start: start))
    }
    for index in 0..<keys.count where keys.logPosition[index] <= through && time.contains(keys.time[index]) {
      let start = granularity.start(of: keys.time[index])
      guard end(of: start) <= period.upperBound else { continue }
      if !earlier.isEmpty,
        earlier.contains(Interval(metric: keys.metric[index], source: keys.source[index], start: start))
      {
        continue
      }
      indices.append(Int32(base + index))
    }
  }

  /// The end of the interval that begins at a time.
  private func end(of start: Microseconds) -> Microseconds {
    let (end, overflow) = start.addingReportingOverflow(granularity.length)
    return overflow ? .max : end
  }
}
