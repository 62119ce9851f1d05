package import Domain
internal import Log

/// What a person shares anonymously.
package struct AnonymousSharing: Sendable, Hashable {
  /// Counts changes; 0 where the person has never chosen.
  package let version: Int64
  /// By kind: the time from which readings count.
  package let countsFrom: [MetricID: Microseconds]

  package init(version: Int64, countsFrom: [MetricID: Microseconds]) {
    self.version = version
    self.countsFrom = countsFrom
  }

  /// Of somebody who has never chosen.
  package static let nothing = AnonymousSharing(version: 0, countsFrom: [:])
}

/// An entry of the log: what a person shares anonymously from its position on.
package struct AnonymousSharingChange: Sendable, Hashable {
  package let person: PersonID
  package let metrics: Set<MetricID>

  package init(person: PersonID, metrics: Set<MetricID>) {
    self.person = person
    self.metrics = metrics
  }
}

extension LogTopic {
  /// What a person shares anonymously.
  static func anonymousSharing(of person: PersonID) -> LogTopic { LogTopic("anonymous sharing", person) }
}

extension LogEntry {
  init(_ change: AnonymousSharingChange) { self.init(change, about: [.anonymousSharing(of: change.person)]) }
}
