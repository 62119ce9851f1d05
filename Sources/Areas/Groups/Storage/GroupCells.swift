package import Domain
internal import GroupsRules
package import Log
internal import Postgres

/// The cells that answers about groups are made of: what each person who shares a kind has of it, day by day.
///
/// They follow the log at a distance: for each epoch everything that has been compacted since is taken in, in one
/// transaction. A person's day is always made as a whole, of the readings themselves, so that what
/// comes late or twice counts as it does everywhere else.
package struct GroupCells: Sendable {
  /// One server at a time, however many follow the log.
  private static let lock: Int64 = 0x7472_6163_6b6d_6503
  /// The most persons whose withdrawals are worked off at once; the others are left out of answers until it is their turn.
  static let staleMax: Int64 = 10_000

  private let pool: Pool
  private let metrics: MetricRegistry

  init(pool: Pool, metrics: MetricRegistry) {
    self.pool = pool
    self.metrics = metrics
  }

  /// Takes in what has been compacted, and takes out what has been withdrawn, if that has not been done since a time.
  /// - Returns: whether it was done: false where it was before, or another server does it.
  /// - Throws: `PostgresError`; then nothing has changed.
  @discardableResult
  package func gather(for time: Microseconds) async throws -> Bool {
    let catalog = metrics.catalog
    let isDue: @Sendable (Connection) throws -> Bool = {
      try $0.repeatedQuery("SELECT made_at FROM group_state").timestamptz(0, 0) < time
    }
    return try await pool.withConnection { connection in
      guard try isDue(connection) else { return false }
      if try connection.query("SELECT compacted_position > position FROM log_state, group_state").bool(0, 0) {
        // PostgreSQL would go through all of a table that has grown since it last looked, again and again.
        _ = try connection.execute("ANALYZE reading_chunk (person, hour, metric, last_position), anonymous_metric")
      }
      return try connection.inTransaction { connection in
        guard try connection.query("SELECT pg_try_advisory_xact_lock($1)", [.int8(Self.lock)]).bool(0, 0),
          try isDue(connection)
        else { return false }
        let known = try connection.query("SELECT position FROM group_state").int64(0, 0)
        let compacted = try connection.query("SELECT compacted_position FROM log_state").int64(0, 0)
        let stale = try connection.query(
          "SELECT id, person FROM group_stale ORDER BY id LIMIT $1", [.int8(Self.staleMax)])
        let ids = try (0..<stale.rowCount).map { try stale.int64($0, 0) }
        let persons = try Set((0..<stale.rowCount).map { try stale.int64($0, 1) })
        var work = try CellWork.touched(connection, since: known, catalog)
        try work.add(remaking: persons, connection, catalog)
        try work.run(connection, catalog)
        // Last, so that no withdrawal waits for what was before.
        _ = try connection.query("DELETE FROM group_stale WHERE id = ANY ($1)", [.int8Array(ids)])
        _ = try connection.query(
          "UPDATE group_state SET position = $1, made_at = $2",
          [.int8(compacted), .timestamptz(microsecondsSinceUnixEpoch: time)])
        return true
      }
    }
  }

  /// Takes a person who has left out of all cells. Once more changes nothing.
  /// - Throws: `PostgresError`.
  func forget(_ person: PersonID) async throws {
    let catalog = metrics.catalog
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        _ = try connection.query("DELETE FROM anonymous_metric WHERE person = $1", [.int8(person)])
        _ = try connection.query("SELECT pg_advisory_xact_lock($1)", [.int8(Self.lock)])
        var work = CellWork()
        try work.add(remaking: [person], connection, catalog)
        try work.run(connection, catalog)
      }
    }
  }
}

extension StorageSystem {
  /// What answers about groups are made of.
  package var groupCells: GroupCells { GroupCells(pool: pools.upkeep, metrics: metrics) }

  /// Up to where cells hold the log.
  /// - Throws: `PostgresError`, also when it takes longer than a second.
  package func positionOfGroupCells() async throws -> LogPosition {
    try await pool.withConnection(deadline: .seconds(1)) { connection in
      try connection.query("SELECT position FROM group_state").int64(0, 0)
    }
  }
}
