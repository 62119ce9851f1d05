internal import Domain
internal import Postgres

/// Makes one chunk of the several that an hour's passes have left for a person and metric.
enum HourMerge {
  /// The most series that one transaction merges, and about the most memory that they take while it does.
  private static let maxSeries = 2_000
  private static let maxBytes: Int64 = 64 << 20

  /// How far merging has come.
  struct Place: Sendable {
    let hour: Int32
    fileprivate let series: Series
  }

  /// Merges some series of the newest queued hour that is over and quiet: whatever comes late waits for it, so that nobody's
  /// old hours keep the new ones of others waiting.
  ///
  /// - Parameters:
  ///   - place: what the call before returned: its series are not looked at again, since some can't become fewer
  ///     chunks than they are.
  ///   - quiet: how long the hour must have been over, and nothing have come for it.
  ///   - uses: takes the sources of the readings; most are put down already.
  /// - Returns: nil if there is nothing more to do.
  static func mergeNext(
    on connection: Connection, after place: Place?, quiet: Duration, uses: SourceUses
  ) throws -> Place? {
    try connection.inTransaction { connection in
      let queued = try connection.query(
        """
        SELECT hour FROM merge_queue
        WHERE hour < floor(extract(epoch FROM now() - make_interval(secs => $1)) / 3600)
          AND touched_at <= now() - make_interval(secs => $1)
        ORDER BY hour DESC LIMIT 1 FOR UPDATE SKIP LOCKED
        """, [.float8(quiet / .seconds(1))])
      guard queued.rowCount > 0 else { return nil }
      let hour = try queued.int32(0, 0)
      let last = place?.hour == hour ? place!.series : Series(person: .min, metric: .min)
      let series = try take(connection, hour: hour, after: last)
      let keys = series.keys.sorted()
      var chunks: [Chunk] = []
      for key in keys {
        let merged = ChunkBuilder.build(of: series[key]!)
        chunks += merged.chunks
        uses.note(merged.uses)
        if !merged.replaced.isEmpty {
          try keepShown(series[key]!, hour: hour, of: key.person, metric: key.metric, on: connection)
        }
      }
      try CompactionPass.write(chunks, uses, on: connection)
      if series.isEmpty { _ = try connection.query("DELETE FROM merge_queue WHERE hour = $1", [.int4(hour)]) }
      return Place(hour: hour, series: keys.last ?? last)
    }
  }

  /// Removes the chunks of the next series that have too many of them.
  private static func take(
    _ connection: Connection, hour: Int32, after last: Series
  ) throws -> [Series: [ReadingBlock]] {
    let removed = try connection.query(
      """
      WITH candidates AS (
        SELECT person, metric, sum(reading_count) * 40 + sum(octet_length(payload)) AS bytes
        FROM reading_chunk WHERE hour = $1 AND (person, metric) > ($2, $3)
        GROUP BY person, metric
        HAVING count(*) > 1 + greatest(sum(reading_count) / \(Chunk.readingsMax),
          sum(octet_length(payload)) / \(Chunk.samplesMax))
        ORDER BY person, metric LIMIT \(maxSeries)
      ), running AS (
        SELECT person, metric, sum(bytes) OVER (ORDER BY person, metric) - bytes AS before FROM candidates
      )
      DELETE FROM reading_chunk c USING running r
      WHERE c.hour = $1 AND c.person = r.person AND c.metric = r.metric AND r.before < $4
      RETURNING c.person, c.metric, c.payload
      """, [.int4(hour), .int8(last.person), .int4(last.metric), .int8(maxBytes)])
    var series: [Series: [ReadingBlock]] = [:]
    for row in 0..<removed.rowCount {
      let block = try removed.withBytes(row, 2) { try BlockCodec.decode($0) }
      series[Series(person: try removed.int64(row, 0), metric: try removed.int32(row, 1)), default: []].append(block)
    }
    return series
  }

  /// Keeps what is replaced of a series and was shown in a minute or an hour, and of what was kept earlier only that.
  private static func keepShown(
    _ blocks: [ReadingBlock], hour: Int32, of person: PersonID, metric: MetricID, on connection: Connection
  ) throws {
    let removed = try connection.query(
      "DELETE FROM replaced_reading WHERE person = $1 AND metric = $2 AND hour = $3 RETURNING payload",
      [.int8(person), .int4(metric), .int4(hour)])
    var all = blocks
    for row in 0..<removed.rowCount { all.append(try removed.withBytes(row, 0) { try BlockCodec.decode($0) }) }
    let versions = ReadingMerge.versions(all, from: .min, to: .max)
    // Every reading of chunks was committed long before: what is on its way covers it.
    let kept = ReplacedReadings.counting(in: versions, by: try WatermarkRows.closing(versions, connection))
    try CompactionPass.copy(ChunkBuilder.versions(of: kept), to: "replaced_reading", on: connection)
  }

  fileprivate struct Series: Hashable, Comparable {
    let person: PersonID
    let metric: MetricID

    static func < (a: Series, b: Series) -> Bool { (a.person, a.metric) < (b.person, b.metric) }
  }
}
