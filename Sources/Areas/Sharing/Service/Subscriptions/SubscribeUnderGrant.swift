internal import Domain
internal import Log
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

extension SubscriptionService {
  /// Follows a third party's subscription, until its grant ends where it is on one.
  func subscribeUnderGrant(
    _ start: Trackme_Sharing_V1_SubscribeStart, for principal: Principal, after position: LogPosition?,
    _ requests: RequestStream<Trackme_Sharing_V1_SubscribeRequest>, _ frames: SubscribeFrames, _ context: CallContext
  ) async throws {
    guard case .thirdParty(let thirdParty) = principal else { throw RPCStatus.notPermitted }
    guard start.personIDs.isEmpty, start.metrics.isEmpty else {
      throw RPCStatus.invalidArgument(
        field: start.personIDs.isEmpty ? "start.metrics" : "start.person_ids",
        problem: "must be empty where there is a subscription_id")
    }
    let order = SubscriptionGate(start.subscriptionID)
    orders.open(order)
    defer { orders.close(order) }
    if let groups, let group = try await groups.find(start.subscriptionID, of: thirdParty) {
      return try await deliverReleases(of: group, from: groups, after: position, requests, frames, order)
    }
    let subscription = try await subscription(start.subscriptionID, of: thirdParty)
    let gate = GrantGate(grant: subscription.grant, signal: frames.signal)
    watch.open(gate)
    defer { watch.close(gate) }
    // Read after the gate was opened: no end of the grant falls between the two.
    guard let grant = try await access.find(subscription.grant) else { throw RPCStatus.noSubscription }
    guard grant.state == .accepted else { throw RPCStatus.accessEnded(grant.state, at: grant.position) }
    guard subscription.ended == nil else { throw RPCStatus.subscriptionEnded }
    // Digests say themselves what they are of.
    if subscription.isLive { order.follow(subscription.version) }

    let granted = GrantedDelivery(
      grant, gate, kind: subscription.isLive ? .stream : .digest, ledger: disclosures)
    try await granted.run(on: context.call) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.receiveAcknowledgements(requests, frames) }
        group.addTask { throw try await order.waitForEnd() }
        group.addTask {
          guard subscription.isLive else {
            return try await self.deliverDigests(of: subscription, after: position, frames, under: granted)
          }
          let filter = ReadingFilter(
            persons: [grant.person], metrics: subscription.metrics, time: grant.scope.time, entries: [.grant(grant.id)])
          try await self.deliver(filter, after: position, frames, under: granted)
        }
        for try await _ in group {}
      }
    }
  }
}
