public import Domain
internal import Log
public import Postgres
internal import RacesRules

/// Works out what a digest shows, out of chunks: a few hours at a time, oldest first, so that a long period is never in
/// memory as a whole.
public struct DigestReader: Sendable {
  /// One part of a digest.
  public struct Page: Sendable {
    /// In the order of hours, then metrics, then time. May be empty.
    public let columns: ReadingColumns
    /// Where to go on; nil at the end.
    public let next: Place?
  }

  /// How far reading has come: an hour of a metric.
  public struct Place: Sendable {
    let hour: Int32
    let metric: MetricID
  }

  /// A page ends when it has taken this many bytes of chunks: packed, about a tenth of what they are in memory.
  private static let pagePayloadBytes = 1 << 20
  /// The most hours of metrics that are listed at once.
  private static let listed = 64

  private let pool: Pool
  private let person: PersonID
  private let metrics: [MetricID]
  private let window: ShownIntervals

  public init(pool: Pool, person: PersonID, metrics: Set<MetricID>, window: ShownIntervals) {
    self.pool = pool
    self.person = person
    self.metrics = metrics.sorted()
    self.window = window
  }

  /// The next values.
  ///
  /// - Parameters:
  ///   - place: `next` of the page before; nil for the first one.
  ///   - maxBytes: the page ends after about this many bytes of values.
  /// - Throws: `PostgresError`.
  public func page(after place: Place?, maxBytes: Int) async throws -> Page {
    try await pool.withConnection { connection in
      var columns = ReadingColumns()
      var bytes = 0
      let places = try list(connection, after: place)
      for (index, place) in places.enumerated() {
        let versions = try read(connection, place, &bytes)
        columns.append(
          contentsOf: window.shown(of: versions, by: try WatermarkRows.closing(versions, connection)))
        if columns.approximateBytes >= maxBytes || bytes >= Self.pagePayloadBytes, index + 1 < places.count {
          return Page(columns: columns, next: place)
        }
      }
      return Page(columns: columns, next: places.count < Self.listed ? nil : places.last)
    }
  }

  /// Whether nothing belongs to the digest.
  public func isEmpty() async throws -> Bool {
    var place: Place?
    repeat {
      let page = try await page(after: place, maxBytes: 1)
      if !page.columns.isEmpty { return false }
      place = page.next
    } while place != nil
    return true
  }

  /// The hours in which something may belong to the digest: those that have got readings since the digest before, and
  /// those with intervals that were not over then.
  private func list(_ connection: Connection, after place: Place?) throws -> [Place] {
    let first = max(PersonHistory.hour(of: window.time.lowerBound), place?.hour ?? .min)
    let last = min(
      PersonHistory.hour(of: window.time.upperBound - 1), PersonHistory.hour(of: window.period.upperBound - 1))
    let rows = try connection.query(
      """
      WITH stored AS NOT MATERIALIZED (
        SELECT person, hour, metric, first_position, last_position FROM reading_chunk
        UNION ALL SELECT person, hour, metric, first_position, last_position FROM replaced_reading
      )
      SELECT hour, metric FROM (
        SELECT hour, metric FROM stored
        WHERE person = $1 AND last_position > $3 AND first_position <= $4 AND metric = ANY ($2)
          AND hour BETWEEN $5 AND $6
        UNION
        SELECT hour, metric FROM stored
        WHERE person = $1 AND metric = ANY ($2) AND first_position <= $4 AND hour BETWEEN greatest($5, $7) AND $6
      ) touched WHERE (hour, metric) > ($5, $8) ORDER BY hour, metric LIMIT $9
      """,
      [
        .int8(person), .int4Array(metrics), .int8(window.after), .int8(window.through), .int4(first), .int4(last),
        .int4(PersonHistory.hour(of: window.period.lowerBound)), .int4(place?.metric ?? .min),
        .int8(Int64(Self.listed)),
      ])
    return try (0..<rows.rowCount).map { Place(hour: try rows.int32($0, 0), metric: try rows.int32($0, 1)) }
  }

  private func read(_ connection: Connection, _ place: Place, _ bytes: inout Int) throws -> ReadingBlock {
    let rows = try connection.query(
      // In one statement: what a merge moves from one table to the other is in one of them.
      """
      SELECT payload FROM reading_chunk WHERE person = $1 AND metric = $2 AND hour = $3
      UNION ALL SELECT payload FROM replaced_reading WHERE person = $1 AND metric = $2 AND hour = $3
      """,
      [.int8(person), .int4(place.metric), .int4(place.hour)])
    var blocks: [ReadingBlock] = []
    for row in 0..<rows.rowCount {
      blocks.append(
        try rows.withBytes(row, 0) { payload in
          bytes += payload.count
          return try BlockCodec.decode(payload)
        })
    }
    let start = Microseconds(place.hour) * PersonHistory.hour
    return ReadingMerge.versions(blocks, from: start, to: start + PersonHistory.hour)
  }
}
