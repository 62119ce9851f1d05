internal import Log
internal import WireCodec
public import Domain
public import Postgres

/// Announcements of maintenance.
public struct Maintenances: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Puts an announcement into the inbox of every active account, once for each request id of an administrator.
  ///
  /// - Parameters:
  ///   - time: when the service is interrupted.
  ///   - requestID: of the administrator's choice, or empty.
  /// - Returns: how many accounts have the notification.
  /// - Throws: `PostgresError`.
  public func announce(
    _ time: Range<Microseconds>, message: String, by administrator: AccountID, requestID: String
  ) async throws -> Int64 {
    try await pool.withConnection { connection in
      let told = try connection.query(
        // All of it is one statement: an announcement that was made before notifies nobody.
        """
        WITH announcement AS (
          INSERT INTO maintenance (announced_by, request_id, begins_at, ends_at, message, notified_accounts)
          SELECT $1, nullif($2, ''), $3, $4, $5, count(*) FROM account WHERE state = 'active'
          ON CONFLICT (announced_by, request_id) DO NOTHING RETURNING *
        ), told AS (
          SELECT add_notification(a.id, \(Trackme_Notifications_V1_NotificationKind.maintenance.sql)::smallint, facts => jsonb_build_object(
            'begins', m.begins_at, 'ends', m.ends_at, 'message', m.message))
          FROM announcement m CROSS JOIN account a WHERE a.state = 'active'
        )
        SELECT (SELECT notified_accounts FROM announcement), (SELECT count(*) FROM told)
        """,
        [
          .int8(administrator), .text(requestID), .timestamptz(microsecondsSinceUnixEpoch: time.lowerBound),
          .timestamptz(microsecondsSinceUnixEpoch: time.upperBound), .text(message),
        ])
      if !told.isNull(0, 0) { return try told.int64(0, 0) }
      return try connection.query(
        "SELECT notified_accounts FROM maintenance WHERE announced_by = $1 AND request_id = $2",
        [.int8(administrator), .text(requestID)]
      ).int64(0, 0)
    }
  }
}
