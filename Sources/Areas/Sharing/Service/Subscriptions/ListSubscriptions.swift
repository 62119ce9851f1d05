internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension SubscriptionService {
  /// The newest first.
  /// - Throws: INVALID_ARGUMENT for a page that can't be.
  public func listSubscriptions(
    _ request: Trackme_Sharing_V1_ListSubscriptionsRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_ListSubscriptionsResponse {
    let thirdParty = try context.account()
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("subscriptions", "\(thirdParty)", "\(request.activeOnly)"), seal)
    let records = try await subscriptions.list(
      of: thirdParty, activeOnly: request.activeOnly, before: page.before, limit: page.size + 1)
    let shown = records.prefix(page.size)
    return .init(
      subscriptions: shown.map(wire), nextPageToken: page.nextToken(found: records.count, last: shown.last?.id))
  }
}
