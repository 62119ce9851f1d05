internal import BenchKit
internal import Domain
internal import Groups
internal import GroupsRules
internal import Postgres

/// Persons who share a kind, their cells, and a third party that asks about them, by SQL.
final class GroupTown {
  static let metrics: [MetricID] = [1, 6]

  /// Numbers of the persons, in their order.
  let persons: [PersonID]
  private let connection: Connection

  /// - Parameter areSharing: whether they share their readings.
  init(_ server: MeasuredServer, persons count: Int, areSharing: Bool, now: Microseconds) throws {
    let connection = try Connection(server.database)
    self.connection = connection
    guard let today = CalendarDate(utc: now) else { throw BenchError("the clock is wrong") }
    // The numbers of those who push in `load-readings`.
    try connection.query("SELECT setval(pg_get_serial_sequence('account', 'id'), 1, false)")
    let begins = now - 400 * 24 * Chunk.hour
    persons = try connection.inTransaction {
      try SeedPersons.add(
        count, sharing: areSharing ? Self.metrics : [], countsFrom: Chunk.hourStart(of: begins), on: today, $0)
    }
    try connection.execute("ANALYZE")
  }

  /// A session of a third party.
  func thirdParty() throws -> String {
    let token = "bench-\(String(UInt64.random(in: 1 << 60 ... .max), radix: 16))"
    try connection.query(
      """
      WITH made AS (
        INSERT INTO account (kind, username, email, display_name)
        VALUES ('third_party', 'bench', 'bench@example.org', 'Bench') RETURNING id
      ), opened AS (INSERT INTO session (account, expires_at) SELECT id, now() + interval '1 day' FROM made RETURNING id, account)
      INSERT INTO access_token (token_sha256, kind, account, session, expires_at)
      SELECT sha256($1::bytea), 'session', account, id, now() + interval '1 day' FROM opened
      """, [.bytea(Array(token.utf8))])
    return token
  }

  /// Writes the cells of some days, with readings of every person in every hour.
  /// - Parameters:
  ///   - days: since 1 January 1970, UTC.
  /// - Returns: the disk that they take, with their index; bytes.
  func writeCells(of metric: MetricID, _ days: Range<Int32>) throws -> Double {
    var random = SystemRandomNumberGenerator()
    for (part, persons) in Dictionary(grouping: persons, by: { DayCells.part(of: $0) }) {
      for day in days {
        try Interruption.check()
        let rows = persons.map { person in
          // About a reading a minute, of some place in Italy.
          let counts = (0..<CellRow.hours).map { _ in Int64.random(in: 40...60, using: &random) }
          return CellRow(
            person: DayCells.number(of: person),
            place: PlaceGrid.cell(
              latitude: 38 + Double(person % 160) / 20, longitude: 8 + Double(person / 160 % 160) / 20),
            counts: counts, sums: counts.map { $0 * Int64.random(in: 20_000...30_000, using: &random) })
        }
        try connection.query(
          """
          INSERT INTO group_cell (metric, day, part, hour, payload)
          SELECT $1, $2, $3, place - 1, payload FROM unnest($4::bytea[]) WITH ORDINALITY AS c (payload, place)
          """, [.int4(metric), .int4(day), .int4(part), .byteaArray(DayCells(rows).columns)])
      }
    }
    try connection.execute("VACUUM ANALYZE group_cell")
    try connection.execute("CHECKPOINT")
    return Double(try number("SELECT pg_total_relation_size('group_cell')"))
  }

  /// Whether there are cells of the kind.
  func hasCells(of metric: MetricID) throws -> Bool {
    try number("SELECT count(*) FROM group_cell WHERE metric = \(metric)") > 0
  }

  /// Waits until all readings are in chunks.
  func settle() throws {
    try Interruption.wait(for: "compaction", within: .seconds(180)) {
      try number("SELECT count(*) FROM reading_log") == 0 ? true : nil
    }
  }

  /// Waits until all readings are in cells.
  func gather() throws {
    try Interruption.wait(for: "the cells", within: .seconds(180)) {
      try number("SELECT count(*) FROM group_state, log_state WHERE position < compacted_position") == 0 ? true : nil
    }
  }

  /// The kinds that `load-readings` pushes beside those of the registry.
  func addMetrics() throws { try ReadingGenerator.addMetrics(connection) }

  private func number(_ sql: String) throws -> Int64 { try connection.query(sql).int64(0, 0) }
}
