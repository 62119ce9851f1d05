internal import Domain

/// What is remembered of one metric from one source while all is well: 32 bytes.
///
/// Beside the newest reading it knows since when readings have been within the limits, and the widest gap between two
/// neighbours of them. That is enough to judge readings beyond a limit that come late: a fine reading surely lies between
/// two that are further apart than the widest gap.
struct VitalTrack: Sendable {
  /// The widest gap is kept for this long and the time before; more than readings may come late and clocks be wrong.
  private static let bucket: Microseconds = 600_000_000
  private static let gapUnit: Microseconds = 10_000

  var newest: Microseconds
  /// The value at `newest`.
  var value: Double
  var source: SourceID
  /// Milliseconds from the first of the fine readings to the newest.
  private var run: UInt32 = 0
  /// The widest gap in the bucket of `newest` and in the one before, in units of 10 ms, rounded up.
  private var gap: UInt16 = 0
  private var earlierGap: UInt16 = 0
  private let number: UInt16
  /// The points of `value` in the score in two bits; above them how long before its receipt `newest` was taken at most:
  /// seconds of 2^20 µs, doubled so often.
  private var pointsAndDelay: UInt8 = 0
  /// Whether the list of its readings is kept.
  var hasEvidence = false

  var metric: MetricID { MetricID(number) }

  /// Of `value` in the score.
  var points: Int { Int(pointsAndDelay & 3) }
  /// When `newest` was received at the latest; at most twice as long after it as it really was, or a second.
  var received: Microseconds { newest &+ (1 << 20) << Microseconds(pointsAndDelay >> 2) }

  init(metric: MetricID, source: SourceID, time: Microseconds, value: Double) {
    number = UInt16(truncatingIfNeeded: metric)
    self.source = source
    newest = time
    self.value = value
  }

  /// Notes the points of `value`, and when `newest` was received.
  @inline(__always) mutating func note(points: Int, receivedAt received: Microseconds) {
    let delay = (received &- newest) >> 20
    // Most come within a second.
    let doublings = delay <= 0 ? 0 : UInt8(truncatingIfNeeded: min(64 - delay.leadingZeroBitCount, 40))
    pointsAndDelay = doublings << 2 | UInt8(truncatingIfNeeded: points & 3)
  }

  /// Notes the points of `value` by other rules.
  mutating func note(points: Int) { pointsAndDelay = pointsAndDelay & ~3 | UInt8(truncatingIfNeeded: points & 3) }

  @inline(__always) func isOf(_ metric: MetricID, _ source: SourceID) -> Bool {
    MetricID(number) == metric && self.source == source
  }

  /// The next fine reading, newer than the newest.
  @inline(__always) mutating func advance(to time: Microseconds, _ value: Double) {
    let step = time &- newest
    let units = UInt16(clamping: (step &+ (Self.gapUnit - 1)) / Self.gapUnit)
    let (now, before) = (time / Self.bucket, newest / Self.bucket)
    if now == before {
      gap = max(gap, units)
    } else {
      earlierGap = now &- before == 1 ? gap : 0
      gap = units
    }
    run = UInt32(clamping: Int64(run) &+ step / 1_000)
    newest = time
    self.value = value
  }

  /// The widest gap between neighbours in `since`…`newest`.
  var widestGap: Microseconds {
    let widest = max(gap, earlierGap)
    // The counter has come to its end: the gap may be wider than anything.
    return widest == .max ? .max / 4 : Microseconds(widest) * Self.gapUnit
  }

  /// From here to `newest` there are fine readings with no gap wider than `widestGap`.
  var since: Microseconds { max(newest - Microseconds(run) * 1_000, (newest / Self.bucket - 1) * Self.bucket) }
  /// Whether `since` is the time of a reading.
  var sinceIsReading: Bool { since == newest - Microseconds(run) * 1_000 && run != .max }

  /// Begins the memory of fine readings anew.
  mutating func begin(since: Microseconds, widestGap: Microseconds) {
    run = UInt32(clamping: max(0, newest - since) / 1_000)
    gap = UInt16(clamping: (max(0, widestGap) + Self.gapUnit - 1) / Self.gapUnit)
    earlierGap = gap
  }
}
