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
    let onGroups = try await groups?.list(
      of: thirdParty, activeOnly: request.activeOnly, before: page.before, limit: page.size + 1)
    // Both kinds have numbers of one sequence.
    let found = (records.map(wire) + (onGroups ?? [])).sorted { $0.subscriptionID > $1.subscriptionID }
    let shown = found.prefix(page.size)
    return .init(
      subscriptions: Array(shown),
      nextPageToken: page.nextToken(found: found.count, last: shown.last?.subscriptionID))
  }
}
