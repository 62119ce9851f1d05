internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension SubscriptionService {
  public func createSubscription(
    _ request: Trackme_Sharing_V1_CreateSubscriptionRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_CreateSubscriptionResponse { throw RPCStatus(.unimplemented) }

  public func listSubscriptions(
    _ request: Trackme_Sharing_V1_ListSubscriptionsRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_ListSubscriptionsResponse { throw RPCStatus(.unimplemented) }

  public func updateSubscription(
    _ request: Trackme_Sharing_V1_UpdateSubscriptionRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_UpdateSubscriptionResponse { throw RPCStatus(.unimplemented) }

  public func cancelSubscription(
    _ request: Trackme_Sharing_V1_CancelSubscriptionRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_CancelSubscriptionResponse { throw RPCStatus(.unimplemented) }
}
