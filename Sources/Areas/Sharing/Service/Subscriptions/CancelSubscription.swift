internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension SubscriptionService {
  /// Its streams end: here at once, on other servers when they look the next time.
  /// - Throws: NOT_FOUND for a subscription of others, or that is not there.
  public func cancelSubscription(
    _ request: Trackme_Sharing_V1_CancelSubscriptionRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_CancelSubscriptionResponse {
    let thirdParty = try context.account()
    if let cancelled = try await groups?.cancel(request.subscriptionID, of: thirdParty) {
      orders.cancelled(request.subscriptionID)
      return .init(subscription: cancelled)
    }
    let record = try await subscription(request.subscriptionID, of: thirdParty)
    guard let cancelled = try await subscriptions.cancel(record.id, at: clock()) else {
      throw RPCStatus.noSubscription
    }
    orders.cancelled(record.id)
    return .init(subscription: wire(cancelled))
  }
}
