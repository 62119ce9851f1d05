internal import Domain
internal import Log
internal import Postgres

/// The next period of a subscription, which is over.
struct DuePeriod: Sendable {
  let subscription: SubscriptionID
  let version: Int64
  let grant: AccessRequestID
  let person: PersonID
  let metrics: Set<MetricID>
  let cadence: Cadence
  let window: ShownIntervals
  /// The end of the period after it.
  let nextEnd: Microseconds

  /// The periods that a watermark closes whose readings are in chunks, those that wait longest first.
  ///
  /// - Parameter now: the time of day, at which a watermark is made if a period waits for one.
  static func read(_ connection: Connection, at now: Microseconds, limit: Int) throws -> [DuePeriod] {
    let moment = Watermark.time(at: now)
    // The end of a grant is the end of its subscriptions, which are not to be looked at again and again.
    _ = try connection.query(
      """
      UPDATE subscription s SET ended_at = r.changed_at FROM access_request r
      WHERE s.ended_at IS NULL AND s.period_end <= $1 AND r.id = s.access_request AND r.state <> \(AccessState.accepted.sql)
      """, [.timestamptz(microsecondsSinceUnixEpoch: moment)])
    let waiting = try connection.query(
      """
      SELECT max(s.after_position) FROM subscription s
        LEFT JOIN (SELECT max("time") AS "time", max(position) AS position FROM watermark) w ON true
      WHERE s.ended_at IS NULL AND s.period_end <= $1
        AND (w."time" IS NULL OR s.period_end > w."time" OR s.after_position > w.position)
      """, [.timestamptz(microsecondsSinceUnixEpoch: moment)])
    if !waiting.isNull(0, 0) {
      _ = try WatermarkRows.advance(connection, at: now, covering: try waiting.int64(0, 0))
    }
    let rows = try connection.query(
      """
      -- Chunks hold every reading before the oldest row of the log that has some.
      WITH oldest AS (
        SELECT position FROM reading_log WHERE reading_count > 0 ORDER BY position LIMIT 1
      ), log AS (
        SELECT coalesce((SELECT position - 1 FROM oldest), (SELECT max(position) FROM reading_log), compacted_position)
          AS packed
        FROM log_state
      ), newest AS (
        SELECT w."time", w.position FROM watermark w, log WHERE w.position <= log.packed
        ORDER BY w.position DESC, w."time" DESC LIMIT 1
      )
      SELECT s.id, s.version, s.access_request, r.person, s.metrics, s.cadence, s.period_start, s.period_end,
        s.after_position, newest.position, r.granularity, r.from_us, r.to_us,
        subscription_period_end(s.period_end, s.cadence, r.granularity, s.time_zone)
      FROM newest, subscription s JOIN access_request r ON r.id = s.access_request
      WHERE s.ended_at IS NULL AND r.state = \(AccessState.accepted.sql) AND s.period_end <= newest."time"
        AND s.after_position <= newest.position
      ORDER BY s.period_end LIMIT $1
      """, [.int8(Int64(limit))])
    return try (0..<rows.rowCount).compactMap { row in
      guard let cadence = Cadence(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 5))),
        let granularity = Granularity(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 10))),
        !rows.isNull(row, 13)
      else { return nil }
      return DuePeriod(
        subscription: try rows.int64(row, 0), version: try rows.int64(row, 1), grant: try rows.int64(row, 2),
        person: try rows.int64(row, 3), metrics: Set(try rows.int64Array(row, 4).map(MetricID.init(clamping:))),
        cadence: cadence,
        window: ShownIntervals(
          period: try rows.timestamptz(row, 6)..<(try rows.timestamptz(row, 7)), after: try rows.int64(row, 8),
          through: try rows.int64(row, 9), granularity: granularity,
          time: try rows.int64(row, 11)..<(try rows.int64(row, 12))),
        nextEnd: try rows.timestamptz(row, 13))
    }
  }

  /// The period's digest.
  var entry: EntryRequest {
    EntryRequest(
      LogEntry(DigestEntry(subscription: subscription, request: grant, period: window.period)),
      sql: "SELECT add_digest($1, $2, $3, $4, $5, $6, $7)",
      [
        .int8(subscription), .int8(version), .timestamptz(microsecondsSinceUnixEpoch: window.period.upperBound),
        .int8(window.through), .timestamptz(microsecondsSinceUnixEpoch: nextEnd),
      ])
  }

  /// Goes on to the next period without a digest. False if that was done, or the subscription has ended or changed.
  func pass(on connection: Connection) throws -> Bool {
    try connection.query(
      """
      UPDATE subscription SET period_start = period_end, period_end = $4, after_position = $5
      WHERE id = $1 AND version = $2 AND period_end = $3 AND ended_at IS NULL
      """,
      [
        .int8(subscription), .int8(version), .timestamptz(microsecondsSinceUnixEpoch: window.period.upperBound),
        .timestamptz(microsecondsSinceUnixEpoch: nextEnd), .int8(window.through),
      ]
    ).affectedRows > 0
  }
}
