public import Domain
internal import Postgres

/// Why a subscription is not made.
public enum SubscriptionRefusal: Sendable, Equatable {
  /// The third party has no such grant that stands.
  case noGrant
  /// The third party, or the grant, has as many active subscriptions as it may have.
  case tooMany(limit: Int, onGrant: Bool)
}

extension SubscriptionRegistry {
  public enum Creation: Sendable, Equatable {
    /// The subscription, also where it had been made under its request id before.
    case made(SubscriptionRecord)
    case refused(SubscriptionRefusal)
  }

  /// Makes a subscription. Its first period is the one that runs now, from now on.
  public func create(_ order: SubscriptionOrder, at now: Microseconds) async throws -> Creation {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // One order of a third party at a time: so limits hold, and a repeat finds the first.
        _ = try connection.query(
          "SELECT pg_advisory_xact_lock(hashtextextended('subscription', $1))", [.int8(order.thirdParty)])
        if let requestID = order.requestID,
          let made = try SubscriptionRows.read(
            connection, "WHERE s.third_party = $1 AND s.request_id = $2", [.int8(order.thirdParty), .text(requestID)]
          ).first
        {
          return .made(made)
        }
        if let refusal = try Self.refusal(of: order, connection) { return .refused(refusal) }
        let id = try connection.query(
          """
          WITH log AS (
            SELECT greatest((SELECT max(position) FROM reading_log), (SELECT compacted_position FROM log_state)) AS head
          ), ends AS (
            SELECT subscription_period_end($7, $5, (SELECT granularity FROM access_request WHERE id = $2), $6) AS at
          )
          INSERT INTO subscription (third_party, access_request, request_id, metrics, cadence, time_zone, created_at,
            created_position, period_start, period_end, after_position)
          SELECT $1, $2, $3, $4, $5, $6, $7, log.head, CASE WHEN ends.at IS NOT NULL THEN $7 END, ends.at, log.head
          FROM log, ends RETURNING id
          """,
          [
            .int8(order.thirdParty), .int8(order.grant), order.requestID.map { .text($0) } ?? .null(25),
            .int4Array(order.metrics.sorted()), .int2(order.cadence.rawValue), .text(order.timeZone),
            .timestamptz(microsecondsSinceUnixEpoch: now),
          ]
        ).int64(0, 0)
        guard let made = try SubscriptionRows.read(connection, "WHERE s.id = $1", [.int8(id)]).first else {
          return .refused(.noGrant)
        }
        return .made(made)
      }
    }
  }

  private static func refusal(of order: SubscriptionOrder, _ connection: Connection) throws -> SubscriptionRefusal? {
    let counts = try connection.query(
      """
      SELECT (SELECT count(*) FROM access_request WHERE id = $2 AND third_party = $1 AND state = \(AccessState.accepted.sql)),
        (SELECT count(*) FROM subscription s JOIN access_request r ON r.id = s.access_request
          WHERE s.third_party = $1 AND s.ended_at IS NULL AND r.state = \(AccessState.accepted.sql)),
        (SELECT count(*) FROM subscription WHERE access_request = $2 AND ended_at IS NULL)
      """, [.int8(order.thirdParty), .int8(order.grant)])
    if try counts.int64(0, 0) == 0 { return .noGrant }
    if try counts.int64(0, 2) >= maxActivePerGrant { return .tooMany(limit: maxActivePerGrant, onGrant: true) }
    if try counts.int64(0, 1) >= maxActivePerThirdParty {
      return .tooMany(limit: maxActivePerThirdParty, onGrant: false)
    }
    return nil
  }

  /// Changes what an active subscription delivers from now on.
  ///
  /// The period that runs, and any that is over without a digest yet, become one period that ends at the next boundary
  /// of the new cadence: nothing is lost and nothing is delivered twice. What is delivered as readings are committed
  /// stays so, and what is delivered in digests too: `isLive` must not change.
  ///
  /// - Parameter version: what the caller knows of it.
  /// - Returns: nil if the subscription has ended or is of another version.
  public func update(
    _ id: SubscriptionID, version: Int64, metrics: Set<MetricID>, cadence: Cadence, timeZone: String,
    at now: Microseconds
  ) async throws -> SubscriptionRecord? {
    try await pool.withConnection { connection in
      let changed = try connection.query(
        """
        UPDATE subscription s SET metrics = $3, cadence = $4, time_zone = $5, version = s.version + 1,
          -- A change of metrics alone leaves the periods as they are.
          period_end = CASE WHEN s.cadence = $4 AND s.time_zone = $5 THEN s.period_end
            ELSE subscription_period_end(greatest($6, s.period_start), $4, r.granularity, $5) END
        FROM access_request r
        WHERE s.id = $1 AND s.version = $2 AND s.ended_at IS NULL AND r.id = s.access_request AND r.state = \(AccessState.accepted.sql)
        """,
        [
          .int8(id), .int8(version), .int4Array(metrics.sorted()), .int2(cadence.rawValue), .text(timeZone),
          .timestamptz(microsecondsSinceUnixEpoch: now),
        ])
      guard changed.affectedRows > 0 else { return nil }
      return try SubscriptionRows.read(connection, "WHERE s.id = $1", [.int8(id)]).first
    }
  }

  /// Ends a subscription; one that has ended stays as it is.
  public func cancel(_ id: SubscriptionID, at now: Microseconds) async throws -> SubscriptionRecord? {
    try await pool.withConnection { connection in
      _ = try connection.query(
        """
        UPDATE subscription s SET ended_at = CASE WHEN r.state = \(AccessState.accepted.sql) THEN $2 ELSE r.changed_at END
        FROM access_request r WHERE s.id = $1 AND s.ended_at IS NULL AND r.id = s.access_request
        """, [.int8(id), .timestamptz(microsecondsSinceUnixEpoch: now)])
      return try SubscriptionRows.read(connection, "WHERE s.id = $1", [.int8(id)]).first
    }
  }
}
