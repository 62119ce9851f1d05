public import Domain
public import Postgres

/// The watermarks of the log: what third parties may have been shown of minutes and hours.
public struct WatermarkStore: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// The newest watermark, made now if there is none of this minute.
  ///
  /// - Parameters:
  ///   - now: the time of day.
  ///   - position: what the watermark has to cover.
  /// - Throws: `PostgresError`; `CancellationError`.
  public func newest(at now: Microseconds, covering position: LogPosition = 0) async throws -> Watermark {
    try await pool.withConnection { try WatermarkRows.advance($0, at: now, covering: position) }
  }
}

/// Rows of watermark.
package enum WatermarkRows {
  package static func advance(_ connection: Connection, at now: Microseconds, covering position: LogPosition) throws
    -> Watermark
  {
    _ = try connection.query(
      "SELECT advance_watermark($1, $2)",
      [.timestamptz(microsecondsSinceUnixEpoch: Watermark.time(at: now)), .int8(position)])
    let row = try connection.query(
      #"SELECT "time", position FROM watermark ORDER BY "time" DESC, position DESC LIMIT 1"#, [])
    return Watermark(time: try row.timestamptz(0, 0), position: try row.int64(0, 1))
  }

  /// The watermarks that close the intervals of some readings.
  ///
  /// - Parameter versions: the readings, of one person, whole intervals of what is shown.
  package static func closing(_ versions: ReadingBlock, _ connection: Connection) throws -> Watermarks {
    guard let extent = Extent(versions) else { return Watermarks([]) }
    return try read(
      connection,
      """
      WHERE "time" BETWEEN $1 AND $2 OR position BETWEEN $3 AND $4
      UNION (SELECT "time", position FROM watermark WHERE "time" > $2 ORDER BY 1, 2 LIMIT 1)
      UNION (SELECT "time", position FROM watermark WHERE position > $4 ORDER BY 2, 1 LIMIT 1)
      """,
      [
        .timestamptz(microsecondsSinceUnixEpoch: extent.times.lowerBound),
        .timestamptz(microsecondsSinceUnixEpoch: extent.times.upperBound),
        .int8(extent.positions.lowerBound), .int8(extent.positions.upperBound),
      ])
  }

  /// The watermarks between two positions. There is none on its way when this returns: one that is made later covers
  /// everything that is committed now.
  ///
  /// - Parameter connection: in a transaction.
  static func settled(
    _ connection: Connection, between first: LogPosition, and last: LogPosition
  ) throws -> Watermarks {
    // Whoever makes one holds the lock for a moment. Going back to the savepoint gives it up: nobody waits for the end
    // of this transaction.
    _ = try connection.execute("SAVEPOINT watermarks; SELECT pg_advisory_xact_lock(\(lock))")
    let watermarks = try read(
      connection, "WHERE position >= $1 AND position < $2", [.int8(first), .int8(last)])
    _ = try connection.execute("ROLLBACK TO SAVEPOINT watermarks; RELEASE SAVEPOINT watermarks")
    return watermarks
  }

  /// As in advance_watermark.
  private static let lock: Int64 = 0x7472_6163_6b6d_6503

  private static func read(
    _ connection: Connection, _ condition: String, _ parameters: [Parameter]
  ) throws -> Watermarks {
    let rows = try connection.query(#"SELECT "time", position FROM watermark \#(condition)"#, parameters)
    return Watermarks(
      try (0..<rows.rowCount).map {
        Watermark(time: try rows.timestamptz($0, 0), position: try rows.int64($0, 1))
      })
  }

  /// From the start of the first hour to the end of the last one, and from the first position to the last.
  private struct Extent {
    let times: ClosedRange<Microseconds>
    let positions: ClosedRange<LogPosition>

    init?(_ block: ReadingBlock) {
      let columns = block.columns
      let times = [columns.scalars.time, columns.positions.time, columns.waveforms.time]
      let all = [block.positions.scalars, block.positions.positions, block.positions.waveforms]
      guard let first = times.compactMap({ $0.min() }).min(), let last = times.compactMap({ $0.max() }).max(),
        let low = all.compactMap({ $0.min() }).min(), let high = all.compactMap({ $0.max() }).max()
      else { return nil }
      // From year 1 to year 9999, which every database knows.
      let known: ClosedRange<Microseconds> = -62_135_596_800_000_000...253_402_300_799_000_000
      let start = Chunk.hourStart(of: min(max(first, known.lowerBound), known.upperBound))
      let end = Chunk.hourStart(of: min(max(last, known.lowerBound), known.upperBound))
      self.times = start...max(start, end) + Chunk.hour
      positions = low...high
    }
  }
}
