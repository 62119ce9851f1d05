internal import Domain
internal import Postgres

/// One transaction that moves the oldest rows of the log into chunks.
///
/// The readings of a pass are taken in parts that fit into memory, a person's hour always as a whole: the rows are read once for each
/// part, which costs little, and every series gets one chunk an hour, which saves merging them.
enum CompactionPass {
  /// One compactor at a time, however many servers follow the log.
  private static let lock: Int64 = 0x7472_6163_6b6d_6502
  /// So many new chunks of an hour cost more than it does to look whether there is something to merge in it.
  private static let manyChunks = 1_000

  /// - Parameters:
  ///   - head: the newest row to take.
  ///   - policy: how much to take, and how much at once.
  ///   - uses: takes the sources of the readings.
  /// - Returns: how many rows were moved, and the position up to which chunks now hold everything.
  static func run(
    on connection: Connection, head: LogPosition, policy: Compactor.Policy,
    uses: SourceUses = SourceUses(nil)
  ) throws -> (rows: Int, through: LogPosition) {
    try waitForOthers(connection)
    let from = try connection.query("SELECT compacted_position FROM log_state", []).int64(0, 0)
    let extent = try connection.query(
      """
      SELECT count(*), coalesce(max(position), 0), coalesce(sum(reading_count), 0)::bigint,
        coalesce(sum(octet_length(payload)), 0)::bigint
      FROM (
        SELECT *, sum(reading_count) OVER (ORDER BY position) - reading_count AS before
        FROM reading_log WHERE position > $1 AND position <= $2
      ) counted WHERE before < $3
      """, [.int8(from), .int8(head), .int8(Int64(policy.maxReadings))])
    let rows = Int(try extent.int64(0, 0))
    guard rows > 0 else { return (0, from) }
    let through = try extent.int64(0, 1)
    let parts =
      1
      + max(
        Int(try extent.int64(0, 2)) / policy.partReadings, Int(try extent.int64(0, 3)) / policy.partBytes)

    var hours: Set<Int32> = []
    // Everything of the pass is committed: watermarks that are made later know none of what it removes.
    let watermarks = try WatermarkRows.settled(connection, between: from, and: through)
    let queue = try MergeQueue(connection)
    for part in 0..<parts {
      let built = ChunkBuilder.build(
        from: try read(connection, from: from, through: through, CompactionPart(number: part, count: parts)))
      // Before they are written: what stands there is of earlier passes, and a person's hour is in one part.
      hours.formUnion(try hoursToMerge(with: built.chunks, queue, on: connection))
      uses.note(built.uses)
      try write(built.chunks, uses, on: connection)
      try copy(ChunkBuilder.versions(of: built.replaced.kept(by: watermarks)), to: "replaced_reading", on: connection)
    }
    _ = try connection.query("DELETE FROM reading_log WHERE position <= $1", [.int8(through)])
    _ = try connection.query("UPDATE log_state SET compacted_position = $1", [.int8(through)])
    _ = try connection.query(
      """
      INSERT INTO merge_queue (hour) SELECT unnest($1::integer[]) ON CONFLICT (hour) DO UPDATE SET touched_at = now()
      """, [.int4Array(Array(hours))])
    return (rows, through)
  }

  /// The hours that wait to be merged. Read as a whole, once for a pass: asked about one hour after the other, PostgreSQL
  /// goes through all of them each time where it still takes the queue for small.
  private struct MergeQueue {
    let hours: Set<Int32>
    /// The hour that is not over yet.
    let now: Int32

    init(_ connection: Connection) throws {
      let rows = try connection.query("SELECT hour FROM merge_queue")
      hours = Set(try (0..<rows.rowCount).map { try rows.int32($0, 0) })
      now = try connection.query("SELECT floor(extract(epoch FROM now()) / 3600)::integer").int32(0, 0)
    }
  }

  /// The hours of new chunks in which there will be something to merge: those that are not over or are queued already, and
  /// of the others those in which a series has a chunk before. Of a long history that comes at once these are none.
  ///
  /// An hour that gets many chunks is queued without a look: one look at the hour costs less than one for each of them.
  private static func hoursToMerge(
    with chunks: [Chunk], _ queue: MergeQueue, on connection: Connection
  ) throws -> Set<Int32> {
    var counts: [Int32: Int] = [:]
    for chunk in chunks { counts[PersonHistory.hour(of: chunk.hourStart), default: 0] += 1 }
    var hours = Set(counts.keys)
    let open = counts.filter { $0.value < manyChunks }.map(\.key)
    if open.isEmpty { return hours }
    let asked = Set(open.filter { $0 < queue.now && !queue.hours.contains($0) })
    if asked.isEmpty { return hours }
    hours.subtract(asked)
    let new = chunks.filter { asked.contains(PersonHistory.hour(of: $0.hourStart)) }
    let found = try connection.query(
      """
      SELECT DISTINCT hour FROM unnest($1::bigint[], $2::integer[], $3::integer[]) new (person, metric, hour)
      -- The first chunk from there on, which only one index gives in this order. To a plain comparison the planner prefers
      -- the index of a person's positions where persons have few chunks: one with a long history would cost its square.
      WHERE (person, metric, hour) = (
        SELECT c.person, c.metric, c.hour FROM reading_chunk c
        WHERE (c.person, c.metric, c.hour) >= (new.person, new.metric, new.hour)
        ORDER BY c.person, c.metric, c.hour LIMIT 1)
      """,
      [
        .int8Array(new.map(\.person)), .int4Array(new.map(\.metric)),
        .int4Array(new.map { PersonHistory.hour(of: $0.hourStart) }),
      ])
    for row in 0..<found.rowCount { hours.insert(try found.int32(row, 0)) }
    return hours
  }

  /// The readings of a part in rows of the log.
  private static func read(
    _ connection: Connection, from: LogPosition, through: LogPosition, _ part: CompactionPart
  ) throws -> [(position: LogPosition, columns: ReadingColumns)] {
    var rows: [(position: LogPosition, columns: ReadingColumns)] = []
    try connection.streamRows(
      "SELECT position, payload FROM reading_log WHERE position > $1 AND position <= $2 ORDER BY position",
      [.int8(from), .int8(through)]
    ) { row in
      let columns = part.readings(of: try row.withBytes(1) { try BlockCodec.decode($0) }.columns)
      if !columns.isEmpty { rows.append((try row.int64(0), columns)) }
    }
    return rows
  }

  /// Keeps compaction out until the transaction ends, and waits for a pass that goes on.
  static func waitForOthers(_ connection: Connection) throws {
    _ = try connection.query("SELECT pg_advisory_xact_lock($1)", [.int8(lock)])
  }

  /// Writes chunks, and the uses of sources that were noted of them.
  static func write(_ chunks: [Chunk], _ uses: SourceUses, on connection: Connection) throws {
    try copy(chunks, to: "reading_chunk", on: connection)
    try uses.record(on: connection)
  }

  static func copy(_ chunks: [Chunk], to table: String, on connection: Connection) throws {
    if chunks.isEmpty { return }
    _ = try connection.copyIn(
      """
      COPY \(table) (person, hour, metric, first_position, last_position, reading_count, payload)
      FROM STDIN (FORMAT binary)
      """
    ) { writer in
      for chunk in chunks {
        try writer.row(fields: 7)
        try writer.int64(chunk.person)
        try writer.int32(PersonHistory.hour(of: chunk.hourStart))
        try writer.int32(chunk.metric)
        try writer.int64(chunk.minPosition)
        try writer.int64(chunk.maxPosition)
        try writer.int32(Int32(chunk.count))
        try writer.bytes(chunk.payload)
      }
    }
  }
}
