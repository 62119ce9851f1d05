public import Domain
public import RacesRules

/// Which readings a reader wants.
public struct ReadingFilter: Sendable, Hashable {
  /// The persons, or nil for everyone.
  public let persons: Set<PersonID>?
  /// The metrics, or nil for all.
  public let metrics: Set<MetricID>?
  /// When they were taken, or nil for whenever.
  public let time: Range<Microseconds>?
  /// The grant under which they are read: its changes are wanted too. Nil for a reader who needs none.
  public let grant: AccessRequestID?
  /// The race for which they are read: its changes are wanted too. Nil for a reader who needs none.
  public let race: RaceID?

  public init(
    persons: Set<PersonID>?, metrics: Set<MetricID>?, time: Range<Microseconds>? = nil, grant: AccessRequestID? = nil,
    race: RaceID? = nil
  ) {
    self.persons = persons
    self.metrics = metrics
    self.time = time
    self.grant = grant
    self.race = race
  }
}

extension ReadingColumns {
  /// The readings that pass a filter, in order.
  func filtered(_ filter: ReadingFilter) -> ReadingColumns {
    guard let time = filter.time else { return filtered(persons: filter.persons, metrics: filter.metrics) }
    return filtered(persons: filter.persons, metrics: filter.metrics).taken(in: time)
  }
}
