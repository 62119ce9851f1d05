public import Domain
internal import Postgres

extension SubscriptionRegistry {
  /// The digests of a subscription and the changes of its grant after a position, in the order of the log.
  ///
  /// - Parameter limit: the most digests that are read at once; there may be more.
  public func events(
    of subscription: SubscriptionID, grant: AccessRequestID, after position: LogPosition, limit: Int = 16
  ) async throws -> [SubscriptionEvent] {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Both lists as of one moment: what is committed between two moments would else be passed over.
        _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let digests = try Self.digests(connection, of: subscription, after: position, limit: limit)
        let changes = try AccessChangeRows.read(
          connection, "WHERE c.access_request = $1 AND c.position > $2 ORDER BY c.position",
          [.int8(grant), .int8(position)])
        let end = digests.count < limit ? LogPosition.max : digests[digests.count - 1].position
        let events =
          digests.map(SubscriptionEvent.digest) + changes.filter { $0.position <= end }.map(SubscriptionEvent.change)
        return events.sorted { $0.position < $1.position }
      }
    }
  }

  private static func digests(
    _ connection: Connection, of subscription: SubscriptionID, after position: LogPosition, limit: Int
  ) throws -> [DigestRecord] {
    let rows = try connection.query(
      """
      SELECT position, period_start, period_end, after_position, through_position, metrics
      FROM digest WHERE subscription = $1 AND position > $2 ORDER BY position LIMIT $3
      """, [.int8(subscription), .int8(position), .int8(Int64(limit))])
    return try (0..<rows.rowCount).map { row in
      DigestRecord(
        position: try rows.int64(row, 0), subscription: subscription,
        period: try rows.timestamptz(row, 1)..<(try rows.timestamptz(row, 2)), after: try rows.int64(row, 3),
        through: try rows.int64(row, 4), metrics: Set(try rows.int64Array(row, 5).map(MetricID.init(clamping:))))
    }
  }
}
