public import Domain
public import Identity

/// How readings are delivered to a third party.
public enum DisclosureKind: Int16, Sendable, Hashable {
  /// As they are produced.
  case stream = 1
  /// A digest of a period.
  case digest = 2
  /// An export.
  case export = 3
}

/// What one delivery sent in one day (UTC), as the database keeps it.
public struct DisclosureRecord: Sendable, Equatable {
  /// Rises from row to row.
  public let id: Int64
  public let request: AccessRequestID
  public let thirdParty: AccountID
  public let recipient: ThirdPartyProfile
  public let kind: DisclosureKind
  /// Metrics that were among the readings.
  public let metrics: Set<MetricID>
  /// How many values were sent.
  public let readingCount: Int64
  /// When the oldest and the newest of them were taken; nil where none were sent.
  public let taken: ClosedRange<Microseconds>?
  public let began: Microseconds
  /// Nil while it goes on.
  public let ended: Microseconds?
  /// Whether the server died while it delivered, so that the count includes everything that it may have sent.
  public let isAtMost: Bool
}
