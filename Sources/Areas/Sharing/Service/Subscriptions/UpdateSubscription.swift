internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension SubscriptionService {
  /// What the request leaves out stays. Streams of it end, to begin anew with what has changed.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; NOT_FOUND; ABORTED with reason STALE_ETAG;
  ///   FAILED_PRECONDITION if it has ended, or would change between live and later delivery.
  public func updateSubscription(
    _ request: Trackme_Sharing_V1_UpdateSubscriptionRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_UpdateSubscriptionResponse {
    let thirdParty = try context.account()
    if let changed = try await groups?.update(request, of: thirdParty) { return .init(subscription: changed) }
    let record = try await subscription(request.subscriptionID, of: thirdParty)
    guard let grant = try await access.find(record.grant) else { throw RPCStatus.noSubscription }
    var faults = Violations()
    if request.group != nil { faults.add("group", "must not be given, as the subscription is on a grant") }
    faults.add("etag", request.etag.isEmpty ? "must be the etag of the subscription" : nil)
    let metrics = numbers(request.metrics, of: grant, &faults) ?? record.metrics
    let cadence = cadence(request.cadence, isRequired: false, &faults) ?? record.cadence
    try await check(timeZone: request.timeZone, &faults)
    try faults.check()
    guard record.ended == nil else { throw RPCStatus.subscriptionEnded }
    guard request.etag == "\(record.version)" else { throw RPCStatus.staleEtag }
    guard cadence.isLive(at: record.granularity) == record.isLive else { throw RPCStatus.deliveryFixed }
    let changed = try await subscriptions.update(
      record.id, version: record.version, metrics: metrics, cadence: cadence,
      timeZone: request.timeZone.isEmpty ? record.timeZone : request.timeZone, at: clock())
    guard let changed else {
      // Somebody was faster.
      let now = try await subscription(record.id, of: thirdParty)
      throw now.ended == nil ? RPCStatus.staleEtag : RPCStatus.subscriptionEnded
    }
    orders.changed(changed.id, to: changed.version)
    return .init(subscription: wire(changed))
  }
}
