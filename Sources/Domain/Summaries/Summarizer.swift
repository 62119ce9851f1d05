/// Count, minimum, mean, maximum and last value of scalars, bucket by bucket.
///
/// Readings are given in the order of `ReadingMerge`, at once or run by run, so that a long history need not be in
/// memory as a whole:
///
/// ```swift
/// var summarizer = Summarizer(.minute)
/// for block in history { summarizer.add(block.columns.scalars) }
/// let minutes = summarizer.finish()
/// ```
public struct Summarizer: Sendable {
  private let buckets: SummaryBuckets
  private var summaries = SummaryColumns()
  private var open: OpenBucket?

  /// - Parameter buckets: a fixed width must be positive.
  public init(_ buckets: SummaryBuckets) {
    if case .fixed(let width) = buckets { precondition(width > 0, "a bucket has a width") }
    self.buckets = buckets
  }

  /// The summaries of `scalars`, which are of one person and metric, sorted by time and source, without repeats.
  public static func summarize(_ scalars: ScalarColumns, by buckets: SummaryBuckets) -> SummaryColumns {
    var summarizer = Summarizer(buckets)
    summarizer.add(scalars)
    return summarizer.finish()
  }

  /// Adds readings that are not before those added so far.
  public mutating func add(_ scalars: ScalarColumns) {
    precondition(scalars.value.count == scalars.count, "columns are equally long")
    scalars.time.withUnsafeBufferPointer { times in
      scalars.value.withUnsafeBufferPointer { values in add(times, values) }
    }
  }

  private mutating func add(_ times: UnsafeBufferPointer<Microseconds>, _ values: UnsafeBufferPointer<Double>) {
    var index = 0
    while index < times.count {
      if open.map({ $0.time.contains(times[index]) }) != true {
        close()
        guard let time = buckets.bucket(of: times[index]) else {
          index += 1
          continue
        }
        open = OpenBucket(time: time)
      }
      guard let last = open?.time.upperBound else { continue }
      var end = index + 1
      while end < times.count, times[unchecked: end] <= last { end &+= 1 }
      open?.add(UnsafeBufferPointer(rebasing: values[index..<end]))
      index = end
    }
  }

  /// How many buckets are complete.
  public var count: Int { summaries.start.count }

  /// The summaries of everything added.
  public consuming func finish() -> SummaryColumns {
    close()
    return summaries
  }

  private mutating func close() {
    guard let bucket = open else { return }
    open = nil
    summaries.start.append(bucket.time.lowerBound)
    summaries.count.append(bucket.count)
    summaries.min.append(bucket.min)
    summaries.mean.append(bucket.mean)
    summaries.max.append(bucket.max)
    summaries.last.append(bucket.last)
  }
}

/// A bucket that readings still fall into.
private struct OpenBucket: Sendable {
  let time: ClosedRange<Microseconds>
  private(set) var count: Int64 = 0
  private(set) var min = Double.infinity
  private(set) var max = -Double.infinity
  private(set) var last = Double.nan
  private var sum = 0.0
  /// What rounding has taken from `sum` so far.
  private var lost = 0.0

  init(time: ClosedRange<Microseconds>) { self.time = time }

  /// Within the extremes, which rounding alone could leave.
  var mean: Double { Swift.min(Swift.max((sum + lost) / Double(count), min), max) }

  /// Values summed plainly, in four sums side by side, before they go into the compensated one.
  private static let plainMax = 64

  mutating func add(_ values: UnsafeBufferPointer<Double>) {
    guard let newest = values.last else { return }
    last = newest
    count += Int64(values.count)
    var start = 0
    while start < values.count {
      let end = Swift.min(start + Self.plainMax, values.count)
      addPlain(UnsafeBufferPointer(rebasing: values[start..<end]))
      start = end
    }
  }

  private mutating func addPlain(_ values: UnsafeBufferPointer<Double>) {
    var sums = SIMD4<Double>.zero
    var low = SIMD4(repeating: min)
    var high = SIMD4(repeating: max)
    let whole = values.count & ~3
    for index in stride(from: 0, to: whole, by: 4) {
      let four = SIMD4(
        values[unchecked: index], values[unchecked: index + 1], values[unchecked: index + 2],
        values[unchecked: index + 3])
      sums += four
      low.replace(with: four, where: four .< low)
      high.replace(with: four, where: four .> high)
    }
    for index in whole..<values.count {
      sums[0] += values[unchecked: index]
      low[0] = Swift.min(low[0], values[unchecked: index])
      high[0] = Swift.max(high[0], values[unchecked: index])
    }
    min = low.min()
    max = high.max()
    addCompensated(sums.sum())
  }

  /// Neumaier's summation: the part that rounding cuts off is summed by itself.
  private mutating func addCompensated(_ value: Double) {
    let total = sum + value
    lost += sum.magnitude >= value.magnitude ? (sum - total) + value : (value - total) + sum
    sum = total
  }
}
