internal import Domain

extension PersonHistory {
  /// Times are counted in so many parts of an interval at once.
  private static let parts = 4_096

  /// Where an interval is divided so that its pieces have at most so many readings each; forty samples count as one. What
  /// is between two multiples of `step` stays together, however much it is.
  ///
  /// Readings are counted, chunk by chunk, in parts of the interval, and again in those parts that have too many: of all of
  /// them no more than one chunk is in memory at once.
  /// - Returns: rising, within the interval.
  func cuts(of interval: Range<Microseconds>, readings limit: Int, step: Microseconds) throws -> [Microseconds] {
    let start = interval.lowerBound - (interval.lowerBound % step + step) % step
    let width = ((interval.upperBound - start) / step / Microseconds(Self.parts) + 1) * step
    var counts = [Int](repeating: 0, count: Int((interval.upperBound - start) / width) + 1)
    try forEachBlock(in: interval) { columns in
      for time in columns.scalars.time where interval.contains(time) { counts[Int((time - start) / width)] += 1 }
      for time in columns.positions.time where interval.contains(time) { counts[Int((time - start) / width)] += 1 }
      for (time, samples) in zip(columns.waveforms.time, columns.waveforms.sampleCount) where interval.contains(time) {
        counts[Int((time - start) / width)] += 1 + Int(samples) / 40
      }
    }
    var cuts: [Microseconds] = []
    var count = 0
    for (index, more) in counts.enumerated() where more > 0 {
      let begin = max(interval.lowerBound, start + Microseconds(index) * width)
      if count > 0, count + more > limit {
        cuts.append(begin)
        count = 0
      }
      count += more
      if more > limit, width > step {
        let end = min(interval.upperBound, start + Microseconds(index + 1) * width)
        cuts += try self.cuts(of: begin..<end, readings: limit, step: step)
      }
    }
    return cuts
  }
}
