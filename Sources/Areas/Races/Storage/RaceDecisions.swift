public import Domain
public import Log
public import Postgres
public import RacesRules

/// What is decided about runners and running races: entries of the log.
public struct RaceDecisions: Sendable {
  let pool: Pool
  let writer: LogWriter

  public init(pool: Pool, writer: LogWriter) {
    self.pool = pool
    self.writer = writer
  }

  /// Decides, if the race's state allows the action then.
  ///
  /// - Parameters:
  ///   - change: whom it is about, all of whom must be enrolled and not be so already, or nothing changes.
  ///   - action: must be allowed in the state that the race has at the change's time.
  ///   - reason: for the results; at most 500 characters.
  /// - Returns: the position from which it holds; nil if nothing has changed.
  /// - Throws: `PostgresError`; `CancellationError`, after which it may have been decided.
  public func decide(_ change: RaceChange, as action: RaceAction, reason: String) async throws -> LogPosition? {
    let states = RaceState.allowing(action).map(\.rawValue)
    return try await writer.append(
      EntryRequest(
        LogEntry(change), sql: "SELECT change_race($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        [
          .int8(change.race), .int2(change.kind.rawValue), .int8Array(change.persons), .int8(change.author),
          .int8(change.finishTime), .text(reason), .timestamptz(microsecondsSinceUnixEpoch: change.time),
          .int2Array(states),
        ]))
  }

  /// The decisions about a race, in the order of the log.
  /// - Throws: `PostgresError`.
  public func changes(of race: RaceID) async throws -> [PositionedRaceChange] {
    try await pool.withConnection { try RaceChangeRows.read($0, of: race, after: 0) }
  }
}

/// Rows of race_change.
enum RaceChangeRows {
  static func read(
    _ connection: Connection, of race: RaceID, after position: LogPosition
  ) throws -> [PositionedRaceChange] {
    let rows = try connection.query(
      """
      SELECT position, kind, persons, author, changed_at, finish_us FROM race_change
      WHERE race = $1 AND position > $2 ORDER BY position
      """, [.int8(race), .int8(position)])
    return try (0..<rows.rowCount).compactMap { row in
      guard let kind = RaceChange.Kind(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 1))) else { return nil }
      return PositionedRaceChange(
        position: try rows.int64(row, 0),
        change: RaceChange(
          race: race, kind: kind, persons: try rows.int64Array(row, 2), author: try rows.int64(row, 3),
          time: try rows.timestamptz(row, 4), finishTime: try rows.int64(row, 5)))
    }
  }
}

extension StorageSystem {
  public var decisions: RaceDecisions { RaceDecisions(pool: pool, writer: writer) }
}
