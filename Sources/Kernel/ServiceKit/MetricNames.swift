package import Domain

extension Violations {
  /// The metrics of names in a request; what is wrong with one is added.
  /// - Parameters:
  ///   - count: how many names there may be.
  ///   - catalog: the registry as it stands.
  package mutating func metrics(
    _ names: [String], _ field: String, count: ClosedRange<Int>, in catalog: MetricCatalog
  ) -> Set<MetricID> {
    guard count.contains(names.count) else {
      add(field, "must be \(count.lowerBound) to \(count.upperBound) names")
      return []
    }
    var numbers: Set<MetricID> = []
    for (index, name) in names.enumerated() {
      if let metric = catalog[name] {
        numbers.insert(metric.id)
      } else {
        add("\(field)[\(index)]", "is not a metric: see ListMetrics")
      }
    }
    return numbers
  }
}
