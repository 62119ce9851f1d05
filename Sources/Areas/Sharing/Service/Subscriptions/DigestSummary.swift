internal import Domain

/// Count, least, mean and greatest value of each scalar metric of a digest, gathered part by part.
struct DigestSummary {
  struct Metric: Equatable {
    var count: Int64 = 0
    var min = Double.infinity
    var mean = 0.0
    var max = -Double.infinity
  }

  private(set) var metrics: [MetricID: Metric] = [:]

  mutating func add(_ scalars: ScalarColumns) {
    for (metric, value) in zip(scalars.metric, scalars.value) {
      var summary = metrics[metric] ?? Metric()
      summary.count += 1
      summary.min = Swift.min(summary.min, value)
      // Running mean: a sum of large values could overflow.
      summary.mean += (value - summary.mean) / Double(summary.count)
      summary.max = Swift.max(summary.max, value)
      metrics[metric] = summary
    }
  }
}
