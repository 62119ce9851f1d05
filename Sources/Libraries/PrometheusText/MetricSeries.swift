internal import CoreMetrics
internal import Synchronization

/// A number that many add to.
final class CounterSeries: CounterHandler {
  private let number = Atomic<Int64>(0)

  var value: Double { Double(number.load(ordering: .relaxed)) }

  /// What would make it smaller is left out: it only grows.
  func increment(by amount: Int64) { if amount > 0 { number.wrappingAdd(amount, ordering: .relaxed) } }

  /// Whoever reads it takes a smaller number for another process.
  func reset() { number.store(0, ordering: .relaxed) }
}

/// The number that was set last.
final class GaugeSeries: RecorderHandler {
  private let bits = Atomic<UInt64>(0)

  var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}

/// How often a number was how large. Counting takes two atomic additions; who reads between them sees a count with which
/// the sum does not agree yet.
final class HistogramSeries: RecorderHandler, TimerHandler {
  /// One for each bound, and one for what is above all of them.
  private final class Bucket: Sendable {
    let count = Atomic<UInt64>(0)
  }

  private let bounds: [Double]
  private let buckets: [Bucket]
  private let sum = Atomic<UInt64>(0)

  init(upTo bounds: [Double]) {
    self.bounds = bounds
    buckets = (0...bounds.count).map { _ in Bucket() }
  }

  /// How many were at most as large as each bound; the last is the count of all.
  var cumulated: [UInt64] {
    var count: UInt64 = 0
    return buckets.map { bucket in
      count += bucket.count.load(ordering: .relaxed)
      return count
    }
  }

  var total: Double { Double(bitPattern: sum.load(ordering: .relaxed)) }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    guard value.isFinite else { return }
    buckets[bounds.firstIndex { value <= $0 } ?? bounds.count].count.wrappingAdd(1, ordering: .relaxed)
    var before = sum.load(ordering: .relaxed)
    while true {
      let after = (Double(bitPattern: before) + value).bitPattern
      let (isDone, found) = sum.weakCompareExchange(expected: before, desired: after, ordering: .relaxed)
      if isDone { return }
      before = found
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
