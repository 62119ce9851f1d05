internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension SubscriptionService {
  /// A repeat of the request id is answered with the subscription that it made.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; NOT_FOUND; FAILED_PRECONDITION where access is not
  ///   granted; RESOURCE_EXHAUSTED where there are too many; UNIMPLEMENTED for a group in a server without them.
  public func createSubscription(
    _ request: Trackme_Sharing_V1_CreateSubscriptionRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_CreateSubscriptionResponse {
    let thirdParty = try context.account()
    if !request.requestID.isEmpty,
      let made = try await subscriptions.find(thirdParty: thirdParty, requestID: request.requestID)
    {
      return .init(subscription: wire(made))
    }
    if request.group != nil {
      guard let groups else { throw RPCStatus.noGroups }
      return .init(subscription: try await groups.create(request, for: thirdParty))
    }
    guard let grant = try await access.find(request.accessRequestID), grant.thirdParty == thirdParty else {
      throw RPCStatus.noGrant
    }
    let order = try await order(request, on: grant)
    guard grant.state == .accepted else { throw RPCStatus.notGranted(grant.state) }
    switch try await subscriptions.create(order, at: clock()) {
    case .made(let record): return .init(subscription: wire(record))
    case .refused(.noGrant): throw RPCStatus.noGrant
    case .refused(.tooMany(let limit, let onGrant)):
      throw RPCStatus.tooManySubscriptions(limit, onGrant: onGrant)
    }
  }

  /// What is ordered, with every field checked.
  private func order(
    _ request: Trackme_Sharing_V1_CreateSubscriptionRequest, on grant: AccessRecord
  ) async throws -> SubscriptionOrder {
    var faults = Violations()
    faults.addRequestID(request.requestID)
    let metrics = numbers(request.metrics, of: grant, &faults) ?? grant.scope.metrics
    let cadence = cadence(request.cadence, isRequired: true, &faults)
    try await check(timeZone: request.timeZone, &faults)
    try faults.check()
    guard let cadence else { throw RPCStatus.invalidArgument(field: "cadence", problem: "must be set") }
    return SubscriptionOrder(
      thirdParty: grant.thirdParty, grant: grant.id, requestID: request.requestID.isEmpty ? nil : request.requestID,
      metrics: metrics, cadence: cadence, timeZone: request.timeZone.isEmpty ? "UTC" : request.timeZone)
  }
}
