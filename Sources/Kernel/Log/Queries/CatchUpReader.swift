public import Domain
public import Postgres

/// Reads the log from storage for one reader who is behind it: first out of chunks, then out of the log's tail. Each
/// page continues where the one before ended.
public struct CatchUpReader: Sendable {
  /// Readings that were committed together, as far as the reader wants them, or an entry that the reader wants.
  public struct Row: Sendable {
    public let position: LogPosition
    public let columns: ReadingColumns
    public let entry: LogEntry?

    init(position: LogPosition, columns: ReadingColumns) {
      self.position = position
      self.columns = columns
      entry = nil
    }

    init(position: LogPosition, entry: LogEntry) {
      self.position = position
      columns = ReadingColumns()
      self.entry = entry
    }
  }

  public struct Page: Sendable {
    /// In the order of the log, none empty.
    public let rows: [Row]
    /// The reader has now seen everything up to here.
    public let reached: LogPosition
  }

  /// A page ends after about this many bytes of readings, so that a reader who is far behind takes little memory.
  private static let pageBytes = 256 << 10
  /// The most bytes of readings that are looked at together when positions are put in order.
  private static let windowBytes = 512 << 10

  private let pool: Pool
  private let filter: ReadingFilter
  /// How many positions the next window of chunks spans: it grows while windows are sparse and shrinks when full.
  private var window: Int64 = 256

  public init(pool: Pool, filter: ReadingFilter) {
    self.pool = pool
    self.filter = filter
  }

  /// The readings after a position. Of readings that repeat each other, those in chunks are given once, at the
  /// position of the newest.
  ///
  /// - Parameters:
  ///   - position: what the reader has seen.
  ///   - head: where to stop; the newest position that was published.
  /// - Throws: `PostgresError`.
  public mutating func page(after position: LogPosition, through head: LogPosition) async throws -> Page {
    while true {
      let (filter, window) = (filter, window)
      let outcome = try await pool.withConnection { connection in
        try connection.inTransaction { connection in
          _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
          let compacted = try connection.query("SELECT compacted_position FROM log_state", []).int64(0, 0)
          if position >= compacted {
            return Outcome.page(
              try LogScan.page(connection, filter, after: position, through: head, Self.pageBytes)
                .with(try filter.entries(connection, after: position)))
          }
          let end = min(compacted, head, position.addingReportingOverflow(window).partialValue)
          switch try ChunkScan.page(connection, filter, after: position, through: end, limit: Self.windowBytes) {
          case .tooMany: return .tooMany
          case .page(let page): return .page(page.with(try filter.entries(connection, after: position)))
          }
        }
      }
      switch outcome {
      case .page(let page):
        let bytes = page.rows.reduce(0) { $0 + $1.columns.approximateBytes }
        if bytes < Self.pageBytes / 4 { self.window = min(window * 4, 1 << 40) }
        if bytes > Self.pageBytes { self.window = max(1, window / 2) }
        return page
      case .tooMany:
        self.window = max(1, window / 8)
      }
    }
  }

  enum Outcome: Sendable {
    case page(Page)
    /// The window holds more readings than are looked at together.
    case tooMany
  }
}

extension CatchUpReader.Page {
  /// The page with the entries that lie in it.
  fileprivate func with(_ entries: [CatchUpReader.Row]) -> Self {
    let within = entries.prefix { $0.position <= reached }
    guard !within.isEmpty else { return self }
    let merged = (rows + within).sorted { $0.position < $1.position }
    return .init(rows: merged, reached: reached)
  }
}

extension ReadingFilter {
  /// The entries that are wanted after a position, in order.
  fileprivate func entries(_ connection: Connection, after position: LogPosition) throws -> [CatchUpReader.Row] {
    let rows = try entries.flatMap { try $0.read(connection, position) }.map {
      CatchUpReader.Row(position: $0, entry: $1)
    }
    return entries.count > 1 ? rows.sorted { $0.position < $1.position } : rows
  }
}

extension [CatchUpReader.Row] {
  /// The rows in runs of about `maxBytes`, for frames. An entry stands alone.
  public func frames(maxBytes: Int) -> [ArraySlice<CatchUpReader.Row>] {
    var frames: [ArraySlice<CatchUpReader.Row>] = []
    var start = 0
    var bytes = 0
    for (index, row) in enumerated() {
      let size = row.columns.approximateBytes
      if index > start, bytes + size > maxBytes || row.entry != nil || self[index - 1].entry != nil {
        frames.append(self[start..<index])
        (start, bytes) = (index, 0)
      }
      bytes += size
    }
    if start < count { frames.append(self[start...]) }
    return frames
  }
}

/// A page out of the rows of the log.
enum LogScan {
  static func page(
    _ connection: Connection, _ filter: ReadingFilter, after position: LogPosition, through head: LogPosition,
    _ limit: Int
  ) throws -> CatchUpReader.Page {
    var rows: [CatchUpReader.Row] = []
    var bytes = 0
    var reached = position
    // Few rows at a time: a row may hold 16,384 readings.
    while bytes < limit, reached < head {
      let found = try connection.query(
        "SELECT position, payload FROM reading_log WHERE position > $1 AND position <= $2 ORDER BY position LIMIT 16",
        [.int8(reached), .int8(head)])
      guard found.rowCount > 0 else { return .init(rows: rows, reached: head) }
      for row in 0..<found.rowCount where bytes < limit {
        reached = try found.int64(row, 0)
        let block = try found.withBytes(row, 1) { try BlockCodec.decode($0) }
        let columns = block.columns.filtered(filter)
        if !columns.isEmpty { rows.append(.init(position: reached, columns: columns)) }
        bytes += columns.approximateBytes
      }
    }
    return .init(rows: rows, reached: reached)
  }
}

/// A page out of chunks: they are in the order of time, so the readings of a window of positions are collected and
/// sorted.
enum ChunkScan {
  static func page(
    _ connection: Connection, _ filter: ReadingFilter, after position: LogPosition, through end: LogPosition,
    limit: Int
  ) throws -> CatchUpReader.Outcome {
    var sql = "SELECT payload FROM reading_chunk WHERE last_position > $1 AND first_position <= $2"
    var parameters: [Parameter] = [.int8(position), .int8(end)]
    if let persons = filter.persons {
      parameters.append(.int8Array(Array(persons)))
      sql += " AND person = ANY($\(parameters.count)::bigint[])"
    }
    if let metrics = filter.metrics {
      parameters.append(.int4Array(Array(metrics)))
      sql += " AND metric = ANY($\(parameters.count)::integer[])"
    }
    if let time = filter.time {
      parameters.append(.int4(PersonHistory.hour(of: time.lowerBound)))
      parameters.append(.int4(PersonHistory.hour(of: time.upperBound - 1)))
      sql += " AND hour BETWEEN $\(parameters.count - 1) AND $\(parameters.count)"
    }
    var collected = PositionedReadings()
    var isTooMany = false
    try connection.streamRows(sql, parameters) { row in
      guard !isTooMany else { return }
      let block = try row.withBytes(0) { try BlockCodec.decode($0) }
      collected.append(from: block, after: position, through: end, taken: filter.time)
      isTooMany = collected.bytes > limit && end > position + 1
    }
    return isTooMany ? .tooMany : .page(.init(rows: collected.rows(), reached: end))
  }
}
