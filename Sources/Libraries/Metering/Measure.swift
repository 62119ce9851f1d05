/// A number of a family as it is now.
package struct MetricSample: Sendable, Equatable {
  package let family: MetricFamily
  /// Of the labels, in their order.
  package let values: [String]
  package let number: Double

  package init(_ family: MetricFamily, _ values: [String] = [], _ number: Double) {
    self.family = family
    self.values = values
    self.number = number
  }
}

/// Numbers that are looked at when somebody asks for metrics, and cost nothing until then.
package struct Measure: Sendable {
  package let families: [MetricFamily]
  /// Returns soon, whatever is away: what can't be known now is left out.
  package let look: @Sendable () async -> [MetricSample]

  package init(_ families: [MetricFamily], look: @escaping @Sendable () async -> [MetricSample]) {
    self.families = families
    self.look = look
  }

  /// One number.
  /// - Parameter number: nil: it can't be known now.
  package init(_ family: MetricFamily, _ number: @escaping @Sendable () async -> Double?) {
    self.init([family]) { await number().map { [MetricSample(family, [], $0)] } ?? [] }
  }

  /// What waits for something that does so many things at a time.
  ///
  /// - Parameters:
  ///   - name: a constant, such as "pool_urgent".
  ///   - limit: how many may wait; nil: it has no limit of its own.
  ///   - length: how many wait; nil: that can't be known now.
  package static func queue(
    _ name: String, limit: Int?, _ length: @escaping @Sendable () async -> Int?
  ) -> Measure {
    Measure([.queueLength, .queueLimit]) {
      var samples = limit.map { [MetricSample(.queueLimit, [name], Double($0))] } ?? []
      if let length = await length() { samples.append(MetricSample(.queueLength, [name], Double(length))) }
      return samples
    }
  }
}

extension MetricFamily {
  package static let queueLength = MetricFamily(
    .gauge, "trackme_queue_length", "What waits in a queue now.", labels: [Label("queue")])
  package static let queueLimit = MetricFamily(
    .gauge, "trackme_queue_limit", "How much may wait in a queue that has a limit.", labels: [Label("queue")])
}
