internal import Domain
package import RPCRuntime

extension RPCStatus {
  static let noGroups = failure(.unimplemented, reason: "NO_GROUPS", message: "this server has no groups")

  static let noSubscription = failure(
    .notFound, reason: "NO_SUBSCRIPTION", message: "there is no such subscription of yours")

  package static let subscriptionEnded = failure(
    .failedPrecondition, reason: "SUBSCRIPTION_ENDED", message: "the subscription has ended")

  static let subscriptionChanged = failure(
    .aborted, reason: "SUBSCRIPTION_CHANGED", message: "the subscription was changed; go on after the last cursor")

  static let noGrant = failure(
    .notFound, reason: "NO_ACCESS_REQUEST", message: "there is no such grant of yours")

  /// The request is not a grant.
  static func notGranted(_ state: AccessState) -> RPCStatus {
    failure(
      .failedPrecondition, reason: "ACCESS_STATE", message: "the request is \(state), and not accepted",
      metadata: ["state": "\(state)"])
  }

  static func tooManySubscriptions(_ limit: Int, onGrant: Bool) -> RPCStatus {
    tooManySubscriptions(limit, onGrant ? "on a grant" : "of a third party")
  }

  /// - Parameter what: those of which there are too many.
  package static func tooManySubscriptions(_ limit: Int, _ what: String) -> RPCStatus {
    failure(
      .resourceExhausted, reason: "TOO_MANY_SUBSCRIPTIONS",
      message: "at most \(limit) subscriptions \(what) may be active",
      metadata: ["limit": "\(limit)"])
  }

  /// Live deliveries and digests are cut differently out of the log: a cursor of one says nothing about the other.
  package static let deliveryFixed = failure(
    .failedPrecondition, reason: "DELIVERY_FIXED",
    message: "readings delivered at their commits can't become digests, nor the other way round: make a subscription")
}
