internal import Glibc

/// Nanoseconds of a clock that never jumps; the same clock in every process of the machine.
@inline(__always)
package func monotonicNanoseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

extension [Int64] {
  /// The nearest-rank percentile of sorted nanoseconds, in milliseconds.
  package func milliseconds(atPercentile percentile: Double) -> Double {
    guard !isEmpty else { return .nan }
    let rank = Int((percentile / 100 * Double(count)).rounded(.up))
    return Double(self[Swift.max(0, Swift.min(count, rank) - 1)]) / 1e6
  }
}

extension [Double] {
  /// The middle value; of an even number of values, the lower one in the middle.
  package var median: Double { isEmpty ? .nan : sorted()[(count - 1) / 2] }
}
