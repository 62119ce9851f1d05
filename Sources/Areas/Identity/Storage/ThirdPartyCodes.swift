public import Domain
public import Postgres

/// A code with which one third party can register, and what became of it. The code itself is not kept.
public struct ThirdPartyCodeRecord: Sendable, Equatable {
  public let id: Int64
  /// The company that it was issued for.
  public let company: String
  public let issued: Microseconds
  public let expires: Microseconds
  /// When a third party registered with it.
  public let used: Microseconds?
}

/// What became of something that may be made once under a request id.
public enum Issued<Value: Sendable>: Sendable {
  case made(Value)
  /// It was made before, under the same request id; this is its number.
  case earlier(Int64)
}

/// The codes that administrators have issued.
public struct ThirdPartyCodes: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Registers a code.
  ///
  /// - Parameters:
  ///   - hash: SHA-256 of the code, 32 bytes.
  ///   - requestID: of the administrator's choice, or empty.
  /// - Throws: `PostgresError`.
  public func issue(
    hash: [UInt8], company: String, lifetimeDays: Int32, by administrator: AccountID, requestID: String
  ) async throws -> Issued<ThirdPartyCodeRecord> {
    try await pool.withConnection { connection in
      let made = try connection.query(
        """
        INSERT INTO third_party_code (code_sha256, company, issued_by, request_id, expires_at)
        VALUES ($1, $2, $3, nullif($4, ''), now() + make_interval(days => $5))
        ON CONFLICT (issued_by, request_id) DO NOTHING RETURNING id, company, issued_at, expires_at, used_at
        """, [.bytea(hash), .text(company), .int8(administrator), .text(requestID), .int4(lifetimeDays)])
      if let record = try Self.records(made).first { return .made(record) }
      return .earlier(
        try connection.query(
          "SELECT id FROM third_party_code WHERE issued_by = $1 AND request_id = $2",
          [.int8(administrator), .text(requestID)]
        ).int64(0, 0))
    }
  }

  /// Codes with smaller numbers than `before`, newest first.
  /// - Throws: `PostgresError`.
  public func list(before: Int64, limit: Int) async throws -> [ThirdPartyCodeRecord] {
    try await pool.withConnection { connection in
      try Self.records(
        connection.query(
          """
          SELECT id, company, issued_at, expires_at, used_at FROM third_party_code WHERE id < $1 ORDER BY id DESC LIMIT $2
          """, [.int8(before), .int8(Int64(limit))]))
    }
  }

  private static func records(_ rows: Result) throws -> [ThirdPartyCodeRecord] {
    try (0..<rows.rowCount).map { row in
      ThirdPartyCodeRecord(
        id: try rows.int64(row, 0), company: try rows.string(row, 1), issued: try rows.timestamptz(row, 2),
        expires: try rows.timestamptz(row, 3), used: rows.isNull(row, 4) ? nil : try rows.timestamptz(row, 4))
    }
  }
}
