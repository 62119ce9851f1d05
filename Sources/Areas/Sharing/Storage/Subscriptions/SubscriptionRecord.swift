public import Domain

/// A subscription as the database keeps it.
public struct SubscriptionRecord: Sendable, Equatable {
  public let id: SubscriptionID
  public let thirdParty: AccountID
  /// The grant that it stands on.
  public let grant: AccessRequestID
  /// Of the grant: how fine the readings are shown.
  public let granularity: Granularity
  /// The metrics that are delivered: all of them of the grant.
  public let metrics: Set<MetricID>
  public let cadence: Cadence
  /// IANA name of the zone whose hours, days, weeks and months are meant.
  public let timeZone: String
  public let created: Microseconds
  /// Where the log stood when it was made.
  public let createdPosition: LogPosition
  /// When it was cancelled or its grant ended; nil while it is active.
  public let ended: Microseconds?
  /// When the period that runs ends; nil where there are no periods, and after the end.
  public let nextDigest: Microseconds?
  /// Counts the third party's changes.
  public let version: Int64

  /// Whether readings are delivered at their commits, and not in digests.
  public var isLive: Bool { cadence.isLive(at: granularity) }
}

/// What a third party orders.
public struct SubscriptionOrder: Sendable {
  public let thirdParty: AccountID
  public let grant: AccessRequestID
  /// The third party's own name for it, by which a repeat is known; nil if it gave none.
  public let requestID: String?
  public let metrics: Set<MetricID>
  public let cadence: Cadence
  public let timeZone: String

  public init(
    thirdParty: AccountID, grant: AccessRequestID, requestID: String?, metrics: Set<MetricID>, cadence: Cadence,
    timeZone: String
  ) {
    self.thirdParty = thirdParty
    self.grant = grant
    self.requestID = requestID
    self.metrics = metrics
    self.cadence = cadence
    self.timeZone = timeZone
  }
}
