public import Domain

/// A period of a subscription that is over, with its place in the log.
public struct DigestRecord: Sendable, Equatable {
  /// Its place in the log, by which it is known.
  public let position: LogPosition
  public let subscription: SubscriptionID
  public let period: Range<Microseconds>
  /// Readings up to here were there for the digest before.
  public let after: LogPosition
  /// Readings up to here are there for this one.
  public let through: LogPosition
  /// What was subscribed to then.
  public let metrics: Set<MetricID>

  /// What it shows under a grant.
  public func window(in scope: AccessScope) -> ShownIntervals {
    ShownIntervals(
      period: period, after: after, through: through, granularity: scope.granularity, time: scope.time)
  }
}

/// What a subscription delivers beside readings, in the order of the log.
public enum SubscriptionEvent: Sendable, Equatable {
  case digest(DigestRecord)
  /// A change of its grant.
  case change(PositionedAccessChange)

  public var position: LogPosition {
    switch self {
    case .digest(let digest): digest.position
    case .change(let change): change.position
    }
  }
}
