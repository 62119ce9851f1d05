public import Domain
public import Postgres

/// Which readings a reader wants.
public struct ReadingFilter: Sendable, Hashable {
  /// The persons, or nil for everyone.
  public let persons: Set<PersonID>?
  /// The metrics, or nil for all.
  public let metrics: Set<MetricID>?
  /// When they were taken, or nil for whenever.
  public let time: Range<Microseconds>?
  /// What else is wanted: the entries about a grant under which they are read, or about a race for which. None is about two
  /// of these topics.
  public let entries: [EntryReader]

  public init(
    persons: Set<PersonID>?, metrics: Set<MetricID>?, time: Range<Microseconds>? = nil, entries: [EntryReader] = []
  ) {
    self.persons = persons
    self.metrics = metrics
    self.time = time
    self.entries = entries
  }
}

/// Reads the entries about a topic out of their area's table. There are few in the life of any.
public struct EntryReader: Sendable, Hashable {
  public let topic: LogTopic
  /// Those after a position, in order.
  let read: @Sendable (_ connection: Connection, _ after: LogPosition) throws -> [(LogPosition, LogEntry)]

  public init(
    about topic: LogTopic,
    read: @escaping @Sendable (_ connection: Connection, _ after: LogPosition) throws -> [(LogPosition, LogEntry)]
  ) {
    self.topic = topic
    self.read = read
  }

  public static func == (a: EntryReader, b: EntryReader) -> Bool { a.topic == b.topic }

  public func hash(into hasher: inout Hasher) { hasher.combine(topic) }
}

extension ReadingColumns {
  /// The readings that pass a filter, in order.
  func filtered(_ filter: ReadingFilter) -> ReadingColumns {
    guard let time = filter.time else { return filtered(persons: filter.persons, metrics: filter.metrics) }
    return filtered(persons: filter.persons, metrics: filter.metrics).taken(in: time)
  }
}
