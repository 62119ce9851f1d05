internal import Domain
internal import Postgres

/// One transaction that moves the oldest rows of the log into chunks.
enum CompactionPass {
  /// One compactor at a time, however many servers follow the log.
  private static let lock: Int64 = 0x7472_6163_6b6d_6502

  /// - Returns: how many rows were moved, and the position up to which chunks now hold everything.
  static func run(
    on connection: Connection, head: LogPosition, maxReadings: Int
  ) throws -> (rows: Int, through: LogPosition) {
    _ = try connection.query("SELECT pg_advisory_xact_lock($1)", [.int8(lock)])
    let state = try connection.query("SELECT compacted_position FROM log_state", [])
    let from = try state.int64(0, 0)

    var rows: [(position: LogPosition, columns: ReadingColumns)] = []
    var readings = 0
    let found = try connection.query(
      """
      SELECT position, payload FROM (
        SELECT position, payload, sum(reading_count) OVER (ORDER BY position) - reading_count AS before
        FROM (SELECT * FROM reading_log WHERE position > $1 AND position <= $2 ORDER BY position LIMIT 20000) l
      ) counted WHERE before < $3 ORDER BY position
      """, [.int8(from), .int8(head), .int8(Int64(maxReadings))])
    for row in 0..<found.rowCount {
      let block = try found.withBytes(row, 1) { try BlockCodec.decode($0) }
      readings += block.columns.count
      rows.append((try found.int64(row, 0), block.columns))
    }
    guard let through = rows.last?.position else { return (0, from) }

    let chunks = ChunkBuilder.chunks(from: rows)
    try write(chunks, on: connection)
    _ = try connection.query("DELETE FROM reading_log WHERE position <= $1", [.int8(through)])
    _ = try connection.query("UPDATE log_state SET compacted_position = $1", [.int8(through)])
    let hours = Array(Set(chunks.map { PersonHistory.hour(of: $0.hourStart) }))
    _ = try connection.query(
      "INSERT INTO merge_queue (hour) SELECT unnest($1::integer[]) ON CONFLICT DO NOTHING", [.int4Array(hours)])
    return (rows.count, through)
  }

  static func write(_ chunks: [Chunk], on connection: Connection) throws {
    _ = try connection.copyIn(
      """
      COPY reading_chunk (person, hour, metric, first_position, last_position, reading_count, payload)
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
