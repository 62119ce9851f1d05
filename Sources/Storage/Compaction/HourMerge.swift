internal import Domain
internal import Postgres

/// Makes one chunk of the several that an hour's passes have left for a person and metric.
enum HourMerge {
  /// An hour is merged once it has been over for ten minutes: late readings mostly come within them.
  private static let settled = "floor(extract(epoch FROM now()) / 3600 - 1.0 / 6)::integer"
  /// The most series that one transaction merges.
  private static let maxSeries = 2_000

  /// Merges some series of the oldest queued hour that is over.
  ///
  /// - Returns: whether there may be more to do.
  static func mergeNext(on connection: Connection) throws -> Bool {
    try connection.inTransaction { connection in
      let queued = try connection.query(
        """
        SELECT hour FROM merge_queue WHERE hour < \(settled) ORDER BY hour LIMIT 1 FOR UPDATE SKIP LOCKED
        """, [])
      guard queued.rowCount > 0 else { return false }
      let hour = try queued.int32(0, 0)
      let removed = try connection.query(
        """
        WITH series AS (
          SELECT person, metric FROM reading_chunk WHERE hour = $1
          GROUP BY person, metric
          HAVING count(*) > 1 + greatest(sum(reading_count) / \(Chunk.readingsMax),
            sum(octet_length(payload)) / \(Chunk.samplesMax))
          ORDER BY person, metric LIMIT \(maxSeries)
        )
        DELETE FROM reading_chunk c USING series s
        WHERE c.hour = $1 AND c.person = s.person AND c.metric = s.metric
        RETURNING c.person, c.metric, c.payload
        """, [.int4(hour)])
      var series: [Series: [ReadingBlock]] = [:]
      for row in 0..<removed.rowCount {
        let block = try removed.withBytes(row, 2) { try BlockCodec.decode($0) }
        series[Series(person: try removed.int64(row, 0), metric: try removed.int32(row, 1)), default: []].append(block)
      }
      let keys = series.keys.sorted { ($0.person, $0.metric) < ($1.person, $1.metric) }
      try CompactionPass.write(keys.flatMap { ChunkBuilder.merge(series[$0]!) }, on: connection)
      if series.count < maxSeries { _ = try connection.query("DELETE FROM merge_queue WHERE hour = $1", [.int4(hour)]) }
      return true
    }
  }

  private struct Series: Hashable {
    let person: PersonID
    let metric: MetricID
  }
}
