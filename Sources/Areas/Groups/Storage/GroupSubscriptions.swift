package import Domain
package import GroupsRules
package import Log
internal import Postgres
internal import Sharing

/// A question about a group that is asked of each period.
package struct GroupSubscriptionRecord: Sendable {
  package let id: SubscriptionID
  package let thirdParty: AccountID
  /// A GroupQuestion without dates.
  package let question: [UInt8]
  package let cadence: Cadence
  package let timeZone: String
  package let version: Int64
  package let created: Microseconds
  /// Where the log stood when it was made.
  package let createdPosition: LogPosition
  package let ended: Microseconds?
  /// The first period without a release.
  package let period: Range<Microseconds>
  /// The days of the period, in the time zone.
  package let days: ClosedRange<CalendarDate>
  /// The hour of the day in which the period begins, in the time zone.
  package let hour: Int
  /// A GroupPause: of the last release.
  package let pause: Int32
}

/// What a third party orders.
package struct GroupSubscriptionOrder: Sendable {
  package let thirdParty: AccountID
  /// The third party's own name for it, by which a repeat is known; nil if it gave none.
  package let requestID: String?
  /// A GroupQuestion without dates.
  package let question: [UInt8]
  package let cadence: Cadence
  package let timeZone: String
}

/// Subscriptions on groups, and their releases.
package struct GroupSubscriptions: Sendable {
  /// The most that may be active of a third party.
  package static let maxActive = 20
  /// Readings that come later than so after the end of a period are in no release of it: one hour.
  package static let patience: Microseconds = 3_600_000_000

  /// How many releases are read at once.
  static let readMax: Int64 = 16

  private let pool: Pool
  private let writer: LogWriter

  init(pool: Pool, writer: LogWriter) {
    self.pool = pool
    self.writer = writer
  }

  /// What a third party has ordered; nil if it has no such subscription.
  /// - Throws: `PostgresError`.
  package func find(_ id: SubscriptionID, of thirdParty: AccountID) async throws -> GroupSubscriptionRecord? {
    try await pool.withConnection { connection in
      try Self.read(connection, "WHERE s.id = $1 AND s.third_party = $2", [.int8(id), .int8(thirdParty)]).first
    }
  }

  /// The newest first.
  /// - Throws: `PostgresError`.
  package func list(
    of thirdParty: AccountID, activeOnly: Bool, before: SubscriptionID, limit: Int
  ) async throws -> [GroupSubscriptionRecord] {
    try await pool.withConnection { connection in
      try Self.read(
        connection,
        "WHERE s.third_party = $1 AND s.id < $2 AND (NOT $3 OR s.ended_at IS NULL) ORDER BY s.id DESC LIMIT $4",
        [.int8(thirdParty), .int8(before), .bool(activeOnly), .int8(Int64(limit))])
    }
  }

  /// Which of some have not ended.
  /// - Throws: `PostgresError`.
  package func active(of ids: [SubscriptionID]) async throws -> Set<SubscriptionID> {
    if ids.isEmpty { return [] }
    return try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT id FROM group_subscription WHERE id = ANY ($1) AND ended_at IS NULL", [.int8Array(ids)])
      return Set(try (0..<rows.rowCount).map { try rows.int64($0, 0) })
    }
  }

  /// Makes a subscription, whose first period is the one that runs now, as a whole.
  /// - Returns: also one that was made under its request id before; nil where there are too many.
  /// - Throws: `PostgresError`.
  package func create(_ order: GroupSubscriptionOrder, at now: Microseconds) async throws -> GroupSubscriptionRecord? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // One order of a third party at a time: so the limit holds, and a repeat finds the first.
        _ = try connection.query(
          "SELECT pg_advisory_xact_lock(hashtextextended('group subscription', $1))", [.int8(order.thirdParty)])
        if let requestID = order.requestID,
          let made = try Self.read(
            connection, "WHERE s.third_party = $1 AND s.request_id = $2", [.int8(order.thirdParty), .text(requestID)]
          ).first
        {
          return made
        }
        let active = try connection.query(
          "SELECT count(*) FROM group_subscription WHERE third_party = $1 AND ended_at IS NULL",
          [.int8(order.thirdParty)]
        ).int64(0, 0)
        guard active < Self.maxActive else { return nil }
        let id = try connection.query(
          """
          INSERT INTO group_subscription (id, third_party, request_id, question, cadence, time_zone, created_at,
            created_position, period_start, period_end)
          SELECT nextval(pg_get_serial_sequence('subscription', 'id')), $1, $2, $3, $4, $5, $6,
            greatest((SELECT max(position) FROM reading_log), (SELECT compacted_position FROM log_state)),
            group_period_start($6, $4, $5),
            subscription_period_end($6, $4, \(Granularity.hour.rawValue)::smallint, $5)
          RETURNING id
          """,
          [
            .int8(order.thirdParty), order.requestID.map { .text($0) } ?? .null(25), .bytea(order.question),
            .int2(order.cadence.rawValue), .text(order.timeZone), .timestamptz(microsecondsSinceUnixEpoch: now),
          ]
        ).int64(0, 0)
        return try Self.read(connection, "WHERE s.id = $1", [.int8(id)]).first
      }
    }
  }

  /// Changes what later releases are of. With another cadence the period that runs ends at the next boundary of the new
  /// one.
  /// - Parameter record: as the caller knows it.
  /// - Returns: nil if it has ended or changed.
  /// - Throws: `PostgresError`.
  package func update(
    _ record: GroupSubscriptionRecord, question: [UInt8], cadence: Cadence, at now: Microseconds
  ) async throws -> GroupSubscriptionRecord? {
    try await pool.withConnection { connection in
      let changed = try connection.query(
        """
        UPDATE group_subscription SET question = $3, version = version + 1,
          period_end = CASE WHEN cadence = $4 THEN period_end
            ELSE subscription_period_end(
              greatest($5, period_start), $4, \(Granularity.hour.rawValue)::smallint, time_zone) END,
          cadence = $4
        WHERE id = $1 AND version = $2 AND ended_at IS NULL
        """,
        [
          .int8(record.id), .int8(record.version), .bytea(question), .int2(cadence.rawValue),
          .timestamptz(microsecondsSinceUnixEpoch: now),
        ])
      guard changed.affectedRows > 0 else { return nil }
      return try Self.read(connection, "WHERE s.id = $1", [.int8(record.id)]).first
    }
  }

  /// Ends a subscription; one that has ended stays as it is.
  /// - Returns: nil if the third party has no such subscription.
  /// - Throws: `PostgresError`.
  package func cancel(
    _ id: SubscriptionID, of thirdParty: AccountID, at now: Microseconds
  ) async throws -> GroupSubscriptionRecord? {
    try await pool.withConnection { connection in
      try connection.query(
        "UPDATE group_subscription SET ended_at = $3 WHERE id = $1 AND third_party = $2 AND ended_at IS NULL",
        [.int8(id), .int8(thirdParty), .timestamptz(microsecondsSinceUnixEpoch: now)])
      return try Self.read(connection, "WHERE s.id = $1 AND s.third_party = $2", [.int8(id), .int8(thirdParty)]).first
    }
  }

  /// Ends all subscriptions of an account.
  /// - Throws: `PostgresError`.
  func end(of account: AccountID, at now: Microseconds) async throws {
    _ = try await pool.withConnection { connection in
      try connection.query(
        "UPDATE group_subscription SET ended_at = $2 WHERE third_party = $1 AND ended_at IS NULL",
        [.int8(account), .timestamptz(microsecondsSinceUnixEpoch: now)])
    }
  }

  /// Those whose next period was over for long enough when the data of an epoch was gathered, if that has been done and
  /// their readings are in the cells as far as they have come in time; those that wait longest first.
  /// - Throws: `PostgresError`.
  package func due(in epoch: GroupEpoch, limit: Int) async throws -> [GroupSubscriptionRecord] {
    try await pool.withConnection { connection in
      try Self.read(
        connection,
        """
        CROSS JOIN group_state g
        WHERE s.ended_at IS NULL AND g.made_at >= $1 AND s.period_end <= $1::timestamptz - $2 * interval '1 microsecond'
          AND NOT EXISTS (
            SELECT FROM reading_log l WHERE l.reading_count > 0 AND l.position > g.position
              AND l.committed_at <= s.period_end + $2 * interval '1 microsecond')
        ORDER BY s.period_end, s.id LIMIT $3
        """, [.timestamptz(microsecondsSinceUnixEpoch: epoch.gathered), .int8(Self.patience), .int8(Int64(limit))])
    }
  }

  /// Puts a release into the log and goes on to the next period.
  /// - Parameters:
  ///   - record: as it was when the release was made.
  ///   - release: a GroupRelease without its number.
  ///   - pause: a GroupPause.
  /// - Returns: false if somebody else did, or the subscription has changed or ended: then nothing was told.
  /// - Throws: `PostgresError`; `CancellationError`, after which it may be there.
  package func add(_ release: [UInt8], pause: Int32, to record: GroupSubscriptionRecord) async throws -> Bool {
    let position = try await writer.append(
      EntryRequest(
        LogEntry(GroupReleaseEntry(subscription: record.id), about: [.subscription(record.id)]),
        sql: "SELECT add_group_release($1, $2, $3, $4, $5, $6, $7)",
        [
          .int8(record.id), .int8(record.version),
          .timestamptz(microsecondsSinceUnixEpoch: record.period.upperBound), .bytea(release),
          .int2(Int16(truncatingIfNeeded: pause)),
        ]))
    return position != nil
  }

  /// The next releases after a position, in the order of the log: GroupReleases without their numbers, which are their
  /// positions.
  /// - Throws: `PostgresError`.
  package func releases(
    of id: SubscriptionID, after position: LogPosition
  ) async throws -> [(position: LogPosition, release: [UInt8])] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT position, release FROM group_release WHERE subscription = $1 AND position > $2 ORDER BY position LIMIT $3
        """, [.int8(id), .int8(position), .int8(Self.readMax)])
      return try (0..<rows.rowCount).map { (try rows.int64($0, 0), try rows.bytes($0, 1)) }
    }
  }

  private static func read(
    _ connection: Connection, _ condition: String, _ parameters: [Parameter]
  ) throws -> [GroupSubscriptionRecord] {
    let rows = try connection.query(
      """
      SELECT s.id, s.third_party, s.question, s.cadence, s.time_zone, s.version, s.created_at, s.created_position,
        s.ended_at, s.period_start, s.period_end, (s.period_start AT TIME ZONE s.time_zone)::date - date '1970-01-01',
        ((s.period_end - interval '1 microsecond') AT TIME ZONE s.time_zone)::date - date '1970-01-01',
        extract(hour FROM s.period_start AT TIME ZONE s.time_zone)::integer, s.pause::integer
      FROM group_subscription s \(condition)
      """, parameters)
    return try (0..<rows.rowCount).compactMap { row in
      guard let cadence = Cadence(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 3))),
        let first = CalendarDate(daysSinceEpoch: Int(try rows.int32(row, 11))),
        let last = CalendarDate(daysSinceEpoch: Int(try rows.int32(row, 12))), first <= last
      else { return nil }
      return GroupSubscriptionRecord(
        id: try rows.int64(row, 0), thirdParty: try rows.int64(row, 1), question: try rows.bytes(row, 2),
        cadence: cadence, timeZone: try rows.string(row, 4), version: try rows.int64(row, 5),
        created: try rows.timestamptz(row, 6), createdPosition: try rows.int64(row, 7),
        ended: rows.isNull(row, 8) ? nil : try rows.timestamptz(row, 8),
        period: try rows.timestamptz(row, 9)..<(try rows.timestamptz(row, 10)), days: first...last,
        hour: Int(try rows.int32(row, 13)), pause: try rows.int32(row, 14))
    }
  }
}

/// A period of a subscription on a group is over: an entry of the log.
private struct GroupReleaseEntry: Sendable {
  let subscription: SubscriptionID
}

extension StorageSystem {
  /// Questions about groups that are asked of each period.
  package var groupSubscriptions: GroupSubscriptions { GroupSubscriptions(pool: pool, writer: writer) }
}
