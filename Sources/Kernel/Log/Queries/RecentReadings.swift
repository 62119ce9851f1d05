public import Domain
public import Postgres

/// Reads what many persons measured lately, as the monitor of vitals needs it after a restart: everything of the last
/// minutes, and before that the newest reading of each metric and source.
public struct RecentReadings: Sendable {
  /// From how many persons on everybody's readings are looked at, because to name them would cost more.
  private static let namedMax = 20_000

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Passes on readings: those of chunks by person, metric and time, then those of the log's tail in its order.
  ///
  /// - Parameters:
  ///   - persons: whose; if they are many, readings of others come as well.
  ///   - metrics: which.
  ///   - newest: from here on the newest reading of each person, metric and source is wanted.
  ///   - all: from here on every reading is wanted.
  ///   - end: nothing later is wanted.
  ///   - body: called on a thread that may wait, a few times for each thousand readings.
  /// - Returns: how many readings were passed on.
  /// - Throws: `PostgresError`, `BlockError`.
  public func read(
    of persons: [PersonID], metrics: [MetricID], newestSince newest: Microseconds, allSince all: Microseconds,
    until end: Microseconds, _ body: @escaping @Sendable (ReadingColumns) -> Void
  ) async throws -> Int {
    guard !persons.isEmpty, newest < end else { return 0 }
    return try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        var batch = Batch(body)
        try Self.chunks(connection, persons, metrics, newest, all, end) { batch.add($0) }
        batch.pass()
        let wanted = Set(metrics)
        let named = persons.count <= Self.namedMax ? Set(persons) : nil
        try connection.streamRows(
          """
          SELECT payload FROM reading_log
          WHERE position > (SELECT compacted_position FROM log_state) ORDER BY position
          """, []
        ) { row in
          let block = try row.withBytes(0) { try BlockCodec.decode($0, persons: named, metrics: wanted) }
          batch.add(block.columns.taken(in: newest..<end))
          batch.pass()
        }
        return batch.count
      }
    }
  }

  private static func chunks(
    _ connection: Connection, _ persons: [PersonID], _ metrics: [MetricID], _ newest: Microseconds,
    _ all: Microseconds, _ end: Microseconds, _ body: (ReadingColumns) -> Void
  ) throws {
    var sql = "SELECT payload FROM reading_chunk WHERE metric = ANY($1::integer[]) AND hour BETWEEN $2 AND $3"
    var parameters: [Parameter] = [
      .int4Array(metrics), .int4(PersonHistory.hour(of: newest)), .int4(PersonHistory.hour(of: end - 1)),
    ]
    if persons.count <= namedMax {
      parameters.append(.int8Array(persons))
      sql += " AND person = ANY($4::bigint[])"
    }
    try connection.streamRows(sql, parameters) { row in
      let block = try row.withBytes(0) { try BlockCodec.decode($0) }
      body(block.columns.lately(newestSince: newest, allSince: all, until: end))
    }
  }

  /// Collects small pieces, so that `body` is called seldom.
  private struct Batch {
    private static let size = 4_096
    private let body: @Sendable (ReadingColumns) -> Void
    private var columns = ReadingColumns()
    private(set) var count = 0

    init(_ body: @escaping @Sendable (ReadingColumns) -> Void) { self.body = body }

    mutating func add(_ more: ReadingColumns) {
      guard !more.isEmpty else { return }
      columns.append((0..<Int32(more.count)).map { $0 }, of: more)
      if columns.count >= Self.size { pass() }
    }

    mutating func pass() {
      guard !columns.isEmpty else { return }
      count += columns.count
      body(columns)
      columns = ReadingColumns()
    }
  }
}

extension ReadingColumns {
  /// Of the readings of one person and metric, in the order of time: those from `all` on, and the newest of each source
  /// before it.
  func lately(newestSince newest: Microseconds, allSince all: Microseconds, until end: Microseconds) -> ReadingColumns {
    var wanted: [Int32] = []
    var last: [SourceID: Int32] = [:]
    for index in 0..<count {
      let time = time(of: index)
      guard newest <= time, time < end else { continue }
      if time >= all {
        wanted.append(Int32(index))
      } else {
        let source = index < scalars.count ? scalars.source[index] : positions.source[index - scalars.count]
        last[source] = Int32(index)
      }
    }
    guard !wanted.isEmpty || !last.isEmpty else { return ReadingColumns() }
    var found = ReadingColumns()
    found.append((Array(last.values) + wanted).sorted(), of: self)
    return found
  }
}
