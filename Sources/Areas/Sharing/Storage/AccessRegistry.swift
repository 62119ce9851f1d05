public import Domain
internal import Identity
public import Log
internal import Payments
public import Postgres

/// Requests for access. What changes one goes through the log; questions are answered by the database.
public struct AccessRegistry: Sendable {
  /// The most requests of a third party that wait for one person, and for anyone.
  public static let maxPendingPerPerson = 10
  public static let maxPending = 10_000

  let pool: Pool
  let writer: LogWriter

  public init(pool: Pool, writer: LogWriter) {
    self.pool = pool
    self.writer = writer
  }

  /// A request by its number; nil if there is none.
  public func find(_ id: AccessRequestID) async throws -> AccessRecord? {
    try await records("WHERE r.id = $1", [.int8(id)]).first
  }

  /// What a third party asked under a request id of its own.
  public func find(thirdParty: AccountID, requestID: String) async throws -> AccessRecord? {
    try await records("WHERE r.third_party = $1 AND r.request_id = $2", [.int8(thirdParty), .text(requestID)]).first
  }

  /// The requests that an account made or was asked, newest first. Whoever was not asked yet has none.
  ///
  /// - Parameters:
  ///   - states: the states that are wanted; all if empty.
  ///   - before: requests with smaller numbers are wanted.
  public func list(
    of account: AccountID, states: [AccessState], before: AccessRequestID, limit: Int
  ) async throws -> [AccessRecord] {
    try await records(
      """
      WHERE (r.person = $1 AND r.is_asked OR r.third_party = $1) AND r.id < $2
        AND (cardinality($3::smallint[]) = 0 OR r.state = ANY ($3)) ORDER BY r.id DESC LIMIT $4
      """, [.int8(account), .int8(before), .int2Array(states.map(\.rawValue)), .int8(Int64(limit))])
  }

  /// The person of `AccessRules.adultAge` or over who has a fiscal code; nil if nobody of that age has it. Either way it is one question.
  /// - Parameter now: the day (UTC) on which the age counts.
  public func adult(withFiscalCode code: String, on now: Microseconds) async throws -> PersonID? {
    try await pool.withConnection { connection in
      let found = try connection.query(
        """
        SELECT p.account, p.date_of_birth <= (($2 AT TIME ZONE 'UTC')::date - make_interval(years => $3))
        FROM person p JOIN account a ON a.id = p.account
        WHERE p.fiscal_code = $1 AND p.holds_fiscal_code AND a.state = 'active'
        """,
        [.text(code), .timestamptz(microsecondsSinceUnixEpoch: now), .int4(Int32(AccessRules.adultAge))])
      guard found.rowCount > 0, try found.bool(0, 1) else { return nil }
      return try found.int64(0, 0)
    }
  }

  /// Whether a third party has as many requests waiting, for a person or for anyone, as it may have.
  public func isFull(thirdParty: AccountID, person: PersonID) async throws -> Bool {
    try await pool.withConnection { connection in
      let row = try connection.query(
        """
        SELECT count(*) FILTER (WHERE person = $2), count(*) FROM access_request WHERE third_party = $1
          AND state IN (\(AccessState.pending.sql), \(AccessState.awaitingPayment.sql))
        """, [.int8(thirdParty), .int8(person)])
      return try row.int64(0, 0) >= Int64(Self.maxPendingPerPerson) || row.int64(0, 1) >= Int64(Self.maxPending)
    }
  }

  /// The changes of an account's requests after a position, in the order of the log. A person's begin where the person is
  /// asked.
  public func changes(
    of account: AccountID, after position: LogPosition, through head: LogPosition, limit: Int
  ) async throws -> [PositionedAccessChange] {
    try await pool.withConnection { connection in
      try AccessChangeRows.read(
        connection,
        """
        WHERE c.position > $1 AND c.position <= $2
          AND (r.person = $3 AND r.is_asked AND c.state <> \(AccessState.awaitingPayment.sql) OR r.third_party = $3)
        ORDER BY c.position LIMIT $4
        """, [.int8(position), .int8(head), .int8(account), .int8(Int64(limit))])
    }
  }

  /// The grants whose time is over.
  public func expiredGrants(at now: Microseconds, limit: Int) async throws -> [AccessRecord] {
    try await records(
      "WHERE r.state = \(AccessState.accepted.sql) AND r.expires_at <= $1 ORDER BY r.expires_at LIMIT $2",
      [.timestamptz(microsecondsSinceUnixEpoch: now), .int8(Int64(limit))], isRepeated: true)
  }

  /// - Parameter isRepeated: see `Connection.repeatedQuery`.
  func records(
    _ condition: String, _ parameters: [Parameter], isRepeated: Bool = false
  ) async throws -> [AccessRecord] {
    try await pool.withConnection { connection in
      let sql = """
        SELECT r.id, r.third_party, \(ThirdPartyProfile.columns), r.person, r.metrics, r.from_us, r.to_us, r.granularity,
          r.purpose, r.state, r.position, r.requested_at, r.changed_at, r.expires_at, r.is_asked, \(PaymentRecord.columns)
        FROM access_request r JOIN account a ON a.id = r.third_party \(ThirdPartyProfile.join)
          LEFT JOIN payment p ON p.id = r.payment
        \(condition)
        """
      let rows = try isRepeated ? connection.repeatedQuery(sql, parameters) : connection.query(sql, parameters)
      return try (0..<rows.rowCount).compactMap { row in
        guard let granularity = Granularity(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 10))),
          let state = AccessState(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 12)))
        else { return nil }
        return AccessRecord(
          id: try rows.int64(row, 0), thirdParty: try rows.int64(row, 1),
          asker: try ThirdPartyProfile(rows, row, from: 2),
          person: try rows.int64(row, 6),
          scope: AccessScope(
            metrics: Set(try rows.int64Array(row, 7).map(MetricID.init(clamping:))),
            time: try rows.int64(row, 8)..<(try rows.int64(row, 9)), granularity: granularity),
          purpose: try rows.string(row, 11), state: state, position: try rows.int64(row, 13),
          requested: try rows.timestamptz(row, 14), changed: try rows.timestamptz(row, 15),
          expires: rows.isNull(row, 16) ? nil : try rows.timestamptz(row, 16), isAsked: try rows.bool(row, 17),
          payment: try PaymentRecord(rows, row, from: 18))
      }
    }
  }
}

/// Rows of access_change with what they are about.
enum AccessChangeRows {
  static func read(
    _ connection: Connection, _ condition: String, _ parameters: [Parameter]
  ) throws -> [PositionedAccessChange] {
    let rows = try connection.query(
      """
      SELECT c.position, c.access_request, r.person, r.third_party, c.state, c.changed_at
      FROM access_change c JOIN access_request r ON r.id = c.access_request \(condition)
      """, parameters)
    return try (0..<rows.rowCount).compactMap { row in
      guard let state = AccessState(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 4))) else { return nil }
      return PositionedAccessChange(
        position: try rows.int64(row, 0),
        change: AccessChange(
          request: try rows.int64(row, 1), person: try rows.int64(row, 2), thirdParty: try rows.int64(row, 3),
          state: state, time: try rows.timestamptz(row, 5)))
    }
  }
}
