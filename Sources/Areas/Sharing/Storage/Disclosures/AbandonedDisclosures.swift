internal import Domain
internal import Log
internal import Postgres

// Rows that a server left open when it died.

extension DisclosureLedger {
  /// A row that nobody writes any more.
  private struct Abandoned: Sendable {
    let id: Int64
    let kind: DisclosureKind?
    let filter: ReadingFilter
    let through: LogPosition
  }

  /// Completes the rows of servers that live no more: what a stream may have sent since its row was written is counted
  /// as sent. That is every reading of its grant after the row's position; of readings that repeat each other and
  /// stand in chunks by now, one.
  ///
  /// - Throws: `PostgresError`; `CancellationError`. What is not completed then is found again.
  func completeAbandoned() async throws {
    while true {
      let rows = try await abandoned()
      guard !rows.isEmpty else { return }
      for row in rows { try await complete(row) }
    }
  }

  /// Completes all rows of a person that are open, whoever writes them.
  ///
  /// - Throws: `PostgresError`; `CancellationError`.
  func completeEverything(of person: PersonID) async throws {
    let rows = try await pool.withConnection { connection in
      try Self.open(connection, "r.person = $1", .int8(person), limit: 10_000)
    }
    for row in rows { try await complete(row) }
  }

  private func abandoned() async throws -> [Abandoned] {
    let own = lock.instance
    return try await pool.withConnection { connection in
      let others = try connection.query(
        "SELECT DISTINCT instance FROM disclosure WHERE ended_at IS NULL AND instance <> $1", [.int8(own)])
      let dead = try InstanceLock.dead(try (0..<others.rowCount).map { try others.int64($0, 0) }, connection)
      if dead.isEmpty { return [] }
      return try Self.open(connection, "d.instance = ANY ($1)", .int8Array(dead), limit: 100)
    }
  }

  private static func open(
    _ connection: Connection, _ condition: String, _ parameter: Parameter, limit: Int
  ) throws -> [Abandoned] {
    let rows = try connection.query(
      """
      SELECT d.id, d.kind, d.through_position, r.person, r.metrics, r.from_us, r.to_us, r.id
      FROM disclosure d JOIN access_request r ON r.id = d.access_request
      WHERE d.ended_at IS NULL AND \(condition) ORDER BY d.id LIMIT \(limit)
      """, [parameter])
    return try (0..<rows.rowCount).map { row in
      Abandoned(
        id: try rows.int64(row, 0), kind: DisclosureKind(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 1))),
        filter: ReadingFilter(
          persons: [try rows.int64(row, 3)], metrics: Set(try rows.int64Array(row, 4).map(MetricID.init(clamping:))),
          time: try rows.int64(row, 5)..<(try rows.int64(row, 6)), entries: [.grant(try rows.int64(row, 7))]),
        through: try rows.int64(row, 2))
    }
  }

  private func complete(_ row: Abandoned) async throws {
    var rest = DisclosureDay(at: 0, began: 0, through: row.through)
    // Digests and exports write each frame before they send it.
    if row.kind == .stream {
      var reader = CatchUpReader(pool: pool, filter: row.filter)
      // To the end of the log, wherever that is by now: a reading that is repeated moves towards it.
      while rest.through < .max {
        let page = try await reader.page(after: rest.through, through: .max)
        for found in page.rows { rest.add(found.columns, through: found.position) }
        rest.through = max(rest.through, page.reached)
      }
    }
    let (found, now) = (rest, clock())
    try await pool.withConnection { connection in
      _ = try connection.query(
        """
        UPDATE disclosure SET reading_count = reading_count + $2,
          metrics = ARRAY(SELECT DISTINCT m FROM unnest(metrics || $3::integer[]) AS m ORDER BY m),
          from_us = least(from_us, nullif($4, 9223372036854775807)),
          to_us = greatest(to_us, nullif($5, (-9223372036854775808)::bigint)), at_most = true,
          ended_at = greatest(began_at, $6)
        WHERE id = $1 AND ended_at IS NULL AND through_position = $7
        """,
        [
          .int8(row.id), .int8(found.count), .int4Array(found.metrics.sorted()), .int8(found.oldest),
          .int8(found.newest), .timestamptz(microsecondsSinceUnixEpoch: now), .int8(row.through),
        ])
    }
  }
}
