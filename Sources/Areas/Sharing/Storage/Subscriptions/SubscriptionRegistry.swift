public import Domain
internal import Log
public import Postgres

/// The subscriptions of third parties. One has ended when it was cancelled, and also from the position on at which its
/// grant ended: no write is needed for that.
public struct SubscriptionRegistry: Sendable {
  /// The most subscriptions that may be active.
  public static let maxActivePerThirdParty = 1_000
  public static let maxActivePerGrant = 20

  let pool: Pool
  let zones = TimeZoneNames()

  public init(pool: Pool) { self.pool = pool }

  /// A subscription by its number; nil if there is none.
  public func find(_ id: SubscriptionID) async throws -> SubscriptionRecord? {
    try await pool.withConnection { try SubscriptionRows.read($0, "WHERE s.id = $1", [.int8(id)]).first }
  }

  /// What a third party ordered under a request id of its own.
  public func find(thirdParty: AccountID, requestID: String) async throws -> SubscriptionRecord? {
    try await pool.withConnection { connection in
      try SubscriptionRows.read(
        connection, "WHERE s.third_party = $1 AND s.request_id = $2", [.int8(thirdParty), .text(requestID)]
      ).first
    }
  }

  /// The subscriptions of a third party, newest first.
  ///
  /// - Parameter before: subscriptions with smaller numbers are wanted.
  public func list(
    of thirdParty: AccountID, activeOnly: Bool, before: SubscriptionID, limit: Int
  ) async throws -> [SubscriptionRecord] {
    try await pool.withConnection { connection in
      try SubscriptionRows.read(
        connection,
        """
        WHERE s.third_party = $1 AND s.id < $2 AND (NOT $3 OR s.ended_at IS NULL AND r.state = \(AccessState.accepted.sql))
        ORDER BY s.id DESC LIMIT $4
        """, [.int8(thirdParty), .int8(before), .bool(activeOnly), .int8(Int64(limit))])
    }
  }

  /// Which of some subscriptions have ended, and the versions of the others.
  public func versions(of ids: [SubscriptionID]) async throws -> [SubscriptionID: Int64] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT id, version FROM subscription WHERE id = ANY ($1) AND ended_at IS NULL", [.int8Array(ids)])
      var versions: [SubscriptionID: Int64] = [:]
      for row in 0..<rows.rowCount { versions[try rows.int64(row, 0)] = try rows.int64(row, 1) }
      return versions
    }
  }

  /// Whether there is a time zone of this IANA name.
  public func hasTimeZone(_ name: String) async throws -> Bool {
    try await pool.withConnection { [zones] in try zones.contains(name, $0) }
  }
}

/// Rows of subscription with what their grants say.
enum SubscriptionRows {
  static func read(
    _ connection: Connection, _ condition: String, _ parameters: [Parameter]
  ) throws -> [SubscriptionRecord] {
    let rows = try connection.query(
      """
      SELECT s.id, s.third_party, s.access_request, r.granularity, s.metrics, s.cadence, s.time_zone, s.created_at,
        s.created_position, coalesce(s.ended_at, CASE WHEN r.state <> \(AccessState.accepted.sql) THEN r.changed_at END), s.period_end, s.version
      FROM subscription s JOIN access_request r ON r.id = s.access_request \(condition)
      """, parameters)
    return try (0..<rows.rowCount).compactMap { row in
      guard let granularity = Granularity(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 3))),
        let cadence = Cadence(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 5)))
      else { return nil }
      let ended = rows.isNull(row, 9) ? nil : try rows.timestamptz(row, 9)
      return SubscriptionRecord(
        id: try rows.int64(row, 0), thirdParty: try rows.int64(row, 1), grant: try rows.int64(row, 2),
        granularity: granularity, metrics: Set(try rows.int64Array(row, 4).map(MetricID.init(clamping:))),
        cadence: cadence, timeZone: try rows.string(row, 6), created: try rows.timestamptz(row, 7),
        createdPosition: try rows.int64(row, 8), ended: ended,
        nextDigest: ended != nil || rows.isNull(row, 10) ? nil : try rows.timestamptz(row, 10),
        version: try rows.int64(row, 11))
    }
  }
}
