internal import Postgres

extension AreaTables {
  /// Consent, subscriptions, and who has received what.
  static let sharing = AreaTables(
    migrations: [
      Migration(number: 6, name: "access", sql: AccessSQL.schema),
      Migration(number: 8, name: "subscription", sql: SubscriptionSQL.schema),
      Migration(number: 12, name: "disclosure", sql: DisclosureSQL.schema),
      Migration(number: 19, name: "access_limit", sql: AccessLimitSQL.schema),
      Migration(number: 37, name: "access_end", sql: AccessEndSQL.schema),
    ],
    personal: [
      "access_request.purpose": .erased,
      "access_request.request_id": .erased,
      "subscription.request_id": .erased,
      "subscription.time_zone": .impersonal,
    ],
    end: { account, storage, now in try await storage.endRequests(of: account, at: now) },
    erasure: sharingErasure)

  private static let sharingErasure = [
    // Words of third parties about the person, and their own names for it.
    "UPDATE access_request SET purpose = '', request_id = NULL WHERE person = $1",
    "UPDATE access_request SET request_id = NULL WHERE third_party = $1",
    """
    UPDATE subscription s SET request_id = NULL, ended_at = coalesce(ended_at, now()) FROM access_request r
    WHERE r.id = s.access_request AND (r.person = $1 OR r.third_party = $1)
    """,
  ]
}
