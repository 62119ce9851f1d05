package import Domain
package import WireCodec

/// Subscriptions on questions about groups: added by the area that answers them.
///
/// Their numbers are those of no subscription on a grant. What is not the third party's own is not there for it.
package protocol GroupOrders: Sendable {
  /// Makes a subscription. A repeat of the request id is answered with the subscription that it made.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; RESOURCE_EXHAUSTED where there are too many.
  func create(
    _ request: Trackme_Sharing_V1_CreateSubscriptionRequest, for thirdParty: AccountID
  ) async throws -> Trackme_Sharing_V1_Subscription

  /// The newest first, with smaller numbers than `before`.
  func list(
    of thirdParty: AccountID, activeOnly: Bool, before: SubscriptionID, limit: Int
  ) async throws -> [Trackme_Sharing_V1_Subscription]

  /// nil if there is none.
  func find(_ id: SubscriptionID, of thirdParty: AccountID) async throws -> GroupOrder?

  /// What the request leaves out stays.
  /// - Returns: nil if there is none.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; ABORTED with reason STALE_ETAG; FAILED_PRECONDITION.
  func update(
    _ request: Trackme_Sharing_V1_UpdateSubscriptionRequest, of thirdParty: AccountID
  ) async throws -> Trackme_Sharing_V1_Subscription?

  /// Ends it; one that has ended stays as it is.
  /// - Returns: nil if there is none.
  func cancel(_ id: SubscriptionID, of thirdParty: AccountID) async throws -> Trackme_Sharing_V1_Subscription?

  /// Which of some subscriptions have not ended.
  func active(of ids: [SubscriptionID]) async throws -> Set<SubscriptionID>

  /// The next releases after a position, in the order of the log: some, if there are any.
  func releases(
    of id: SubscriptionID, after position: LogPosition
  ) async throws -> [(position: LogPosition, release: Trackme_Sharing_V1_GroupRelease)]
}

/// What a stream has to know of a subscription on a group.
package struct GroupOrder: Sendable {
  package let id: SubscriptionID
  /// Where the log stood when it was made.
  package let createdPosition: LogPosition
  package let hasEnded: Bool

  package init(id: SubscriptionID, createdPosition: LogPosition, hasEnded: Bool) {
    self.id = id
    self.createdPosition = createdPosition
    self.hasEnded = hasEnded
  }
}
