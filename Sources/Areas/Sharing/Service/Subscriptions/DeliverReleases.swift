internal import Domain
internal import Log
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

extension SubscriptionService {
  /// Sends the releases of a subscription on a group, in the order of the log, until it ends; waits where there are none.
  ///
  /// - Parameters:
  ///   - position: where to go on; nil means now. Nothing of a subscription stands before its creation.
  ///   - gate: of the subscription, opened before it was read.
  func deliverReleases(
    of order: GroupOrder, from orders: any GroupOrders, after position: LogPosition?,
    _ requests: RequestStream<Trackme_Sharing_V1_SubscribeRequest>, _ frames: SubscribeFrames, _ gate: SubscriptionGate
  ) async throws {
    if order.hasEnded { throw RPCStatus.subscriptionEnded }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.receiveAcknowledgements(requests, frames) }
      group.addTask { throw try await gate.waitForEnd() }
      group.addTask { try await self.send(order, from: orders, after: position, frames) }
      for try await _ in group {}
    }
  }

  private func send(
    _ order: GroupOrder, from orders: any GroupOrders, after position: LogPosition?, _ frames: SubscribeFrames
  ) async throws {
    watch.streams.join(frames.signal, on: .subscription(order.id))
    defer { watch.streams.leave(frames.signal) }
    var sent = max(position ?? hub.head, order.createdPosition)
    try await frames.beat(at: sent)
    try await frames.signal.pump { _ in
      try await frames.check()
      // The head is read before the releases are: what is committed between the two is signalled.
      let head = hub.head
      let releases = try await hub.catchingUp.run { [sent] in try await orders.releases(of: order.id, after: sent) }
      for (position, release) in releases {
        try await frames.waitForRoom(sent: sent)
        frames.outstanding.sending(position)
        try await frames.responses.send(.init(cursor: seal.cursor(.log, at: position), frame: .groupRelease(release)))
        sent = position
      }
      if !releases.isEmpty { return .more }
      sent = max(sent, head)
      return .nothing
    } beat: {
      try await frames.beat(at: sent)
    }
  }
}
