/// How time is cut into buckets.
public enum SummaryBuckets: Sendable, Equatable {
  /// Buckets of the same width in microseconds (positive), beginning at the epoch's multiples of it, before 1970 too.
  case fixed(Microseconds)
  /// Bucket i is from boundary i up to, not including, boundary i + 1; readings outside count nowhere. Strictly rising.
  /// Days and weeks of a time zone are given so: they are not equally long.
  case boundaries([Microseconds])

  public static let second = SummaryBuckets.fixed(1_000_000)
  public static let minute = SummaryBuckets.fixed(60_000_000)
  public static let hour = SummaryBuckets.fixed(3_600_000_000)

  /// The bucket that `time` lies in, as its start and its last microsecond; nil if there is none.
  func bucket(of time: Microseconds) -> ClosedRange<Microseconds>? {
    switch self {
    case .fixed(let width):
      let remainder = time % width
      let offset = remainder < 0 ? remainder + width : remainder
      // At the very ends of the range of times a bucket is shorter, so that nothing overflows.
      let (start, underflow) = time.subtractingReportingOverflow(offset)
      let (last, overflow) = time.addingReportingOverflow(width - 1 - offset)
      return (underflow ? .min : start)...(overflow ? .max : last)
    case .boundaries(let boundaries):
      var (low, high) = (0, boundaries.count)
      while low < high {
        let middle = (low + high) / 2
        if boundaries[middle] <= time { low = middle + 1 } else { high = middle }
      }
      guard low > 0, low < boundaries.count else { return nil }
      return boundaries[low - 1]...(boundaries[low] - 1)
    }
  }
}
