/// The number of a third party's subscription.
public typealias SubscriptionID = Int64

/// A period of a subscription that is over: an entry of the log. It says which readings belong to the period and holds
/// none.
public struct DigestEntry: Sendable, Hashable {
  public let subscription: SubscriptionID
  public let request: AccessRequestID
  /// The period.
  public let period: Range<Microseconds>

  public init(subscription: SubscriptionID, request: AccessRequestID, period: Range<Microseconds>) {
    self.subscription = subscription
    self.request = request
    self.period = period
  }
}
