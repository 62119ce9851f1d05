package import Domain
internal import Postgres

/// One person's readings of some metrics in an interval of time, from chunks and the log's tail, as one snapshot.
package struct PersonHistory {
  package static let hour: Microseconds = 3_600_000_000

  let connection: Connection
  let person: PersonID
  let metrics: [MetricID]
  let time: Range<Microseconds>
  /// What is not in chunks, in no order.
  private let tail: [ReadingBlock]

  /// Runs the body in a transaction that sees one state of the database.
  ///
  /// - Parameter snapshot: the log's tail as it was before the transaction began: a row that has been compacted since
  ///   is found twice, and counts once.
  static func read<T>(
    _ connection: Connection, snapshot: LogTail.Snapshot, person: PersonID, metrics: [MetricID],
    time: Range<Microseconds>, _ body: (PersonHistory) throws -> T
  ) throws -> T {
    try connection.inTransaction { connection in
      _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let wanted = Set(metrics)
      var tail = PersonTail.blocks(snapshot.rows, person: person, metrics: wanted, in: time)
      if !snapshot.isComplete {
        tail += try PersonTail.stored(
          connection, through: snapshot.floor, person: person, metrics: wanted, in: time)
      }
      return try body(
        PersonHistory(connection: connection, person: person, metrics: metrics, time: time, tail: tail))
    }
  }

  /// Asks of nobody what is asked of everybody.
  static func warmUp(_ connection: Connection) throws {
    let snapshot = LogTail(head: 0, compacted: 0).uncompacted()
    try read(connection, snapshot: snapshot, person: 0, metrics: [0], time: 0..<1) { history in
      _ = try history.outline(newestFirst: true, limit: 1)
      _ = try history.readings(in: history.time)
    }
  }

  private init(
    connection: Connection, person: PersonID, metrics: [MetricID], time: Range<Microseconds>, tail: [ReadingBlock]
  ) {
    self.connection = connection
    self.person = person
    self.metrics = metrics
    self.time = time
    self.tail = tail
  }

  /// The same for part of the interval.
  func narrowed(to part: Range<Microseconds>) -> PersonHistory {
    PersonHistory(connection: connection, person: person, metrics: metrics, time: part, tail: tail)
  }

  /// The readings of part of the interval, in the order of time, each once.
  func readings(in part: Range<Microseconds>) throws -> ReadingColumns { try positioned(in: part).columns }

  /// The same with the position at which each was committed.
  func positioned(in part: Range<Microseconds>) throws -> ReadingBlock {
    ReadingMerge.merge(tail + (try stored("reading_chunk", in: part)), from: part.lowerBound, to: part.upperBound)
  }

  /// Everything of part of the interval, also what was replaced: see `ReadingMerge.versions`.
  func versions(in part: Range<Microseconds>) throws -> ReadingBlock {
    let blocks = tail + (try stored("reading_chunk", in: part)) + (try stored("replaced_reading", in: part))
    return ReadingMerge.versions(blocks, from: part.lowerBound, to: part.upperBound)
  }

  /// Calls `body` with the readings of each chunk that part of the interval touches, and of the tail.
  func forEachBlock(in part: Range<Microseconds>, _ body: (ReadingColumns) -> Void) throws {
    for block in tail { body(block.columns) }
    try forEachStored("reading_chunk", in: part) { body($0.columns) }
  }

  /// The chunks that part of the interval touches, each cut to it.
  private func stored(_ table: String, in part: Range<Microseconds>) throws -> [ReadingBlock] {
    var blocks: [ReadingBlock] = []
    try forEachStored(table, in: part) { block in
      let wanted = block.taken(in: part)
      if !wanted.isEmpty { blocks.append(wanted) }
    }
    return blocks
  }

  private func forEachStored(
    _ table: String, in part: Range<Microseconds>, _ body: (ReadingBlock) throws -> Void
  ) throws {
    try connection.streamRows(
      """
      SELECT payload FROM \(table)
      WHERE person = $1 AND metric = ANY($2::integer[]) AND hour BETWEEN $3 AND $4
      ORDER BY metric, hour
      """,
      [
        .int8(person), .int4Array(metrics), .int4(Self.hour(of: part.lowerBound)),
        .int4(Self.hour(of: part.upperBound - 1)),
      ]
    ) { row in try body(try row.withBytes(0) { try BlockCodec.decode($0) }) }
  }

  /// The chunks that the interval touches, at most `limit` of each metric from one of its ends.
  func outline(newestFirst: Bool, limit: Int) throws -> [ChunkOutline] {
    let rows = try connection.query(
      """
      SELECT c.metric, c.hour, c.reading_count, c.bytes FROM unnest($2::integer[]) AS m (metric)
      CROSS JOIN LATERAL (
        SELECT metric, hour, reading_count, octet_length(payload) AS bytes FROM reading_chunk
        WHERE person = $1 AND metric = m.metric AND hour BETWEEN $3 AND $4
        ORDER BY hour \(newestFirst ? "DESC" : "ASC") LIMIT $5
      ) c
      """,
      [
        .int8(person), .int4Array(metrics), .int4(Self.hour(of: time.lowerBound)),
        .int4(Self.hour(of: time.upperBound - 1)), .int8(Int64(limit)),
      ])
    return try (0..<rows.rowCount).map { row in
      ChunkOutline(
        metric: try rows.int32(row, 0), hour: try rows.int32(row, 1), count: Int(try rows.int32(row, 2)),
        bytes: Int(try rows.int32(row, 3)))
    }
  }

  /// The readings of the newest chunks of each metric, and of the tail.
  func newest() throws -> ReadingColumns {
    let rows = try connection.query(
      """
      SELECT c.payload FROM unnest($2::integer[]) AS m (metric)
      CROSS JOIN LATERAL (
        SELECT payload FROM reading_chunk WHERE person = $1 AND metric = m.metric AND hour = (
          SELECT hour FROM reading_chunk WHERE person = $1 AND metric = m.metric ORDER BY hour DESC LIMIT 1)
      ) c
      """, [.int8(person), .int4Array(metrics)])
    var blocks = tail
    for row in 0..<rows.rowCount { blocks.append(try rows.withBytes(row, 0) { try BlockCodec.decode($0) }) }
    return ReadingMerge.merge(blocks, from: time.lowerBound, to: time.upperBound).columns
  }

  /// When the tail has readings, hour by hour with their number.
  var tailOutline: [ChunkOutline] {
    var counts: [Int32: Int] = [:]
    for block in tail {
      for times in [block.columns.scalars.time, block.columns.positions.time, block.columns.waveforms.time] {
        for time in times where self.time.contains(time) { counts[Self.hour(of: time), default: 0] += 1 }
      }
    }
    return counts.map { ChunkOutline(metric: 0, hour: $0.key, count: $0.value, bytes: 0) }
  }

  /// The hour in which a time lies, in hours since the Unix epoch.
  package static func hour(of time: Microseconds) -> Int32 {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: hour)
    return Int32(clamping: remainder < 0 ? quotient - 1 : quotient)
  }
}

/// What is known of a chunk without its readings.
struct ChunkOutline {
  let metric: MetricID
  let hour: Int32
  let count: Int
  let bytes: Int
}
