public import Domain
internal import Identity
internal import Postgres
internal import SosRules

extension SosStore {
  /// For how long after their end exertions are still handed out: the time of recovery, and twice what readings may be
  /// late that still raise a call.
  static let exertionAftermath: Microseconds = PersonMonitor.recovery + 2 * PersonMonitor.freshness

  /// Declares an exertion, once for each request id of a person.
  ///
  /// - Parameter requestID: of the person's choice, or empty.
  /// - Throws: `PostgresError`.
  public func declare(
    _ time: Range<Microseconds>, for person: PersonID, requestID: String, at now: Microseconds
  ) async throws -> ExertionDeclaration {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Declarations of one person come one after the other: so the limit holds, and a repeat finds the first.
        let row = try connection.query("SELECT FROM sos_settings WHERE person = $1 FOR UPDATE", [.int8(person)])
        guard row.rowCount == 1 else { return .noAccount }
        let earlier = try Self.read(
          connection, "WHERE person = $1 AND request_id = $2", [.int8(person), .text(requestID)])
        if let earlier = earlier.first { return .declared(earlier) }
        let open = try connection.query(
          "SELECT count(*) FROM sos_exertion WHERE person = $1 AND \(Self.isNotOver)",
          [.int8(person), .timestamptz(microsecondsSinceUnixEpoch: now)])
        guard try open.int64(0, 0) < Int64(Self.maxExertions) else { return .tooMany }
        let id = try connection.query(
          """
          INSERT INTO sos_exertion (person, request_id, begins_at, ends_at) VALUES ($1, nullif($2, ''), $3, $4)
          RETURNING id
          """,
          [
            .int8(person), .text(requestID), .timestamptz(microsecondsSinceUnixEpoch: time.lowerBound),
            .timestamptz(microsecondsSinceUnixEpoch: time.upperBound),
          ]
        ).int64(0, 0)
        try connection.query(
          """
          DELETE FROM sos_exertion WHERE person = $1 AND id <= (
            SELECT id FROM sos_exertion WHERE person = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)
          """, [.int8(person), .int8(Int64(Self.maxKeptExertions))])
        try Self.touch(connection, person)
        return .declared(ExertionRecord(id: id, begins: time.lowerBound, ends: time.upperBound))
      }
    }
  }

  /// What a person declared under a request id of its own; nil if nothing was.
  /// - Throws: `PostgresError`.
  public func exertion(of person: PersonID, requestID: String) async throws -> ExertionRecord? {
    try await pool.withConnection { connection in
      try Self.read(
        connection, "WHERE person = $1 AND request_id = $2", [.int8(person), .text(requestID)]
      ).first
    }
  }

  /// The exertions of a person that are not over, by their beginning.
  /// - Throws: `PostgresError`.
  public func exertions(of person: PersonID, at now: Microseconds) async throws -> [ExertionRecord] {
    try await pool.withConnection { connection in
      try Self.read(
        connection, "WHERE person = $1 AND \(Self.isNotOver) ORDER BY begins_at, id",
        [.int8(person), .timestamptz(microsecondsSinceUnixEpoch: now)])
    }
  }

  /// When a person was exerting in a time that may be over, by the beginning, each until it really ended.
  /// - Throws: `PostgresError`.
  public func exertions(
    of person: PersonID, touching time: Range<Microseconds>
  ) async throws -> [Range<Microseconds>] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT begins_at, least(ends_at, ended_at) FROM sos_exertion
        WHERE person = $1 AND begins_at < $2 AND least(ends_at, ended_at) + $4 * interval '1 microsecond' > $3
          AND least(ends_at, ended_at) > begins_at
        ORDER BY begins_at, id
        """,
        [
          .int8(person), .timestamptz(microsecondsSinceUnixEpoch: time.upperBound),
          .timestamptz(microsecondsSinceUnixEpoch: time.lowerBound), .int8(Self.exertionAftermath),
        ])
      return try (0..<rows.rowCount).map { try rows.timestamptz($0, 0)..<rows.timestamptz($0, 1) }
    }
  }

  /// Ends an exertion, or withdraws one that has not begun; one that is over stays as it is.
  /// - Returns: whether the person has declared such an exertion.
  /// - Throws: `PostgresError`.
  public func endExertion(_ id: ExertionID, of person: PersonID, at now: Microseconds) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let ended = try connection.query(
          "UPDATE sos_exertion SET ended_at = $2 WHERE person = $1 AND id = $3 AND \(Self.isNotOver)",
          [.int8(person), .timestamptz(microsecondsSinceUnixEpoch: now), .int8(id)])
        if ended.affectedRows == 1 {
          try Self.touch(connection, person)
          return true
        }
        return try connection.query(
          "SELECT EXISTS (SELECT FROM sos_exertion WHERE person = $1 AND id = $2)", [.int8(person), .int8(id)]
        ).bool(0, 0)
      }
    }
  }

  /// Of a row at the time $2.
  private static let isNotOver = "ends_at > $2 AND ended_at IS NULL"

  /// Lets every server know of a change.
  private static func touch(_ connection: Connection, _ person: PersonID) throws {
    try connection.query(
      "UPDATE sos_settings SET changed_in = pg_current_xact_id() WHERE person = $1", [.int8(person)])
  }

  private static func read(
    _ connection: Connection, _ condition: String, _ parameters: [Parameter]
  ) throws -> [ExertionRecord] {
    let rows = try connection.query("SELECT id, begins_at, ends_at FROM sos_exertion \(condition)", parameters)
    return try (0..<rows.rowCount).map { row in
      ExertionRecord(
        id: try rows.int64(row, 0), begins: try rows.timestamptz(row, 1), ends: try rows.timestamptz(row, 2))
    }
  }
}
