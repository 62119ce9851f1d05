public import Log
internal import Postgres

extension AreaTables {
  /// Consent, subscriptions, and who has received what.
  public static let sharing = AreaTables(
    migrations: [
      Migration(number: 6, name: "access", sql: AccessSQL.schema),
      Migration(number: 8, name: "subscription", sql: SubscriptionSQL.schema),
      Migration(number: 12, name: "disclosure", sql: DisclosureSQL.schema),
      Migration(number: 19, name: "access_limit", sql: AccessLimitSQL.schema),
      Migration(number: 37, name: "access_end", sql: AccessEndSQL.schema),
      Migration(number: 55, name: "paid_request", sql: PaidRequestSQL.schema),
    ],
    personal: [
      "access_request.purpose": .erased,
      "access_request.request_id": .erased,
      "subscription.request_id": .erased,
      "subscription.time_zone": .impersonal,
    ],
    end: { account, storage, now in try await storage.endRequests(of: account, at: now) },
    suspend: { account, storage, now in try await storage.endRequests(of: account, at: now) },
    // The receipt says to whom readings have been delivered until now; a stream may still be open.
    leaving: [putDownRecipients], settle: { try await $1.endDisclosures(of: $0, isOverdue: $2) },
    erasure: sharingErasure)

  private static let putDownRecipients = """
    UPDATE erasure SET recipients = ARRAY(
      SELECT DISTINCT a.display_name FROM access_request r JOIN account a ON a.id = r.third_party
      WHERE r.person = $1 AND EXISTS (SELECT FROM disclosure d WHERE d.access_request = r.id
        AND (d.reading_count > 0 OR d.ended_at IS NULL)) ORDER BY 1)
    WHERE account = $1 AND erased_at IS NULL
    """

  private static let sharingErasure = [
    putDownRecipients,
    // Words of third parties about the person, and their own names for it.
    "UPDATE access_request SET purpose = '', request_id = NULL WHERE person = $1",
    "UPDATE access_request SET request_id = NULL WHERE third_party = $1",
    """
    UPDATE subscription s SET request_id = NULL, ended_at = coalesce(ended_at, now()) FROM access_request r
    WHERE r.id = s.access_request AND (r.person = $1 OR r.third_party = $1)
    """,
  ]
}
