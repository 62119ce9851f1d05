public import Domain

/// Which readings a reader wants.
public struct ReadingFilter: Sendable, Hashable {
  /// The persons, or nil for everyone.
  public let persons: Set<PersonID>?
  /// The metrics, or nil for all.
  public let metrics: Set<MetricID>?

  public init(persons: Set<PersonID>?, metrics: Set<MetricID>?) {
    self.persons = persons
    self.metrics = metrics
  }

  /// Whether a reading passes.
  public func accepts(person: PersonID, metric: MetricID) -> Bool {
    persons?.contains(person) ?? true && metrics?.contains(metric) ?? true
  }
}
