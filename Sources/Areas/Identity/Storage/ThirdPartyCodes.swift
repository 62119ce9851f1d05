public import Domain
public import IdentityRules
public import Postgres

/// A code with which one third party can register, and what became of it. The code itself is not kept.
public struct ThirdPartyCodeRecord: Sendable, Equatable {
  /// The third party that has registered with a code.
  public struct User: Sendable, Equatable {
    public let account: AccountID
    /// Another name than the holder's only where it registered before codes named their holders.
    public let name: String
    /// Since when the account is disabled.
    public let disabled: Microseconds?
  }

  public let id: Int64
  /// Whom it was issued for.
  public let holder: CodeHolder
  /// Counts changes.
  public let version: Int64
  public let issued: Microseconds
  public let expires: Microseconds
  /// When a third party registered with it.
  public let used: Microseconds?
  public let withdrawn: Microseconds?
  public let user: User?
}

/// What became of something that may be made once under a request id.
public enum Issued<Value: Sendable>: Sendable {
  case made(Value)
  /// It was made before, under the same request id; this is its number.
  case earlier(Int64)
}

/// The codes that administrators have issued.
public struct ThirdPartyCodes: Sendable {
  /// Why a code is not changed.
  public enum Refusal: Error, Sendable, Equatable {
    case unknown
    /// It has another version.
    case stale
    case withdrawn
    /// A third party has registered with it.
    case used
  }

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Registers a code.
  ///
  /// - Parameters:
  ///   - hash: SHA-256 of the code, 32 bytes.
  ///   - requestID: of the administrator's choice, or empty.
  /// - Throws: `PostgresError`.
  public func issue(
    hash: [UInt8], to holder: CodeHolder, lifetimeDays: Int32, by administrator: AccountID, requestID: String
  ) async throws -> Issued<ThirdPartyCodeRecord> {
    try await pool.withConnection { connection in
      let made = try connection.query(
        """
        INSERT INTO third_party_code (code_sha256, company, kind, checked, issued_by, request_id, expires_at)
        VALUES ($1, $2, $3, $4, $5, nullif($6, ''), now() + make_interval(days => $7))
        ON CONFLICT (issued_by, request_id) DO NOTHING RETURNING id
        """,
        [
          .bytea(hash), .text(holder.name), .int2(holder.kind.rawValue), .text(holder.checked), .int8(administrator),
          .text(requestID), .int4(lifetimeDays),
        ])
      if made.rowCount == 1, let record = try Self.find(try made.int64(0, 0), connection) { return .made(record) }
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
      try Self.records("WHERE c.id < $1 ORDER BY c.id DESC LIMIT $2", [.int8(before), .int8(Int64(limit))], connection)
    }
  }

  /// Says anew who holds a code. The third party that has registered with it is called so from then on.
  /// - Throws: `Refusal`; `PostgresError`.
  public func change(
    _ id: Int64, version: Int64, to holder: CodeHolder, reason: String, by administrator: AccountID,
    at now: Microseconds
  ) async throws -> ThirdPartyCodeRecord {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let known = try Self.lock(id, connection)
        guard known.version == version else { throw Refusal.stale }
        guard known.withdrawn == nil else { throw Refusal.withdrawn }
        _ = try connection.query(
          "UPDATE third_party_code SET company = $2, kind = $3, checked = $4, version = version + 1 WHERE id = $1",
          [.int8(id), .text(holder.name), .int2(holder.kind.rawValue), .text(holder.checked)])
        if let user = known.user {
          _ = try connection.query(
            "UPDATE account SET display_name = $2, version = version + 1 WHERE id = $1",
            [.int8(user.account), .text(holder.name)])
        }
        let before = CodeHolder(
          name: known.user?.name ?? known.holder.name, kind: known.holder.kind, checked: known.holder.checked)
        try NewDecision(
          .codeChanged, code: id, account: known.user?.account, reason: reason, by: administrator, at: now,
          before: before, after: holder
        ).add(connection)
        return try Self.find(id, connection) ?? known
      }
    }
  }

  /// Takes back a code that nobody has used. Once more changes nothing.
  /// - Throws: `Refusal`; `PostgresError`.
  public func withdraw(
    _ id: Int64, reason: String, by administrator: AccountID, at now: Microseconds
  ) async throws -> ThirdPartyCodeRecord {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let known = try Self.lock(id, connection)
        guard known.user == nil else { throw Refusal.used }
        if known.withdrawn != nil { return known }
        _ = try connection.query(
          "UPDATE third_party_code SET withdrawn_at = $2, version = version + 1 WHERE id = $1",
          [.int8(id), .timestamptz(microsecondsSinceUnixEpoch: now)])
        try NewDecision(.codeWithdrawn, code: id, reason: reason, by: administrator, at: now).add(connection)
        return try Self.find(id, connection) ?? known
      }
    }
  }

  /// Who registers with a code waits until it is changed, and the other way round.
  private static func lock(_ id: Int64, _ connection: Connection) throws -> ThirdPartyCodeRecord {
    _ = try connection.query("SELECT FROM third_party_code WHERE id = $1 FOR UPDATE", [.int8(id)])
    guard let record = try find(id, connection) else { throw Refusal.unknown }
    return record
  }

  private static func find(_ id: Int64, _ connection: Connection) throws -> ThirdPartyCodeRecord? {
    try records("WHERE c.id = $1", [.int8(id)], connection).first
  }

  private static func records(
    _ condition: String, _ parameters: [Parameter], _ connection: Connection
  ) throws -> [ThirdPartyCodeRecord] {
    let rows = try connection.query(
      """
      SELECT c.id, c.company, c.kind, c.checked, c.version, c.issued_at, c.expires_at, c.used_at, c.withdrawn_at,
        a.id, a.display_name, a.disabled_at
      FROM third_party_code c LEFT JOIN account a ON a.id = c.used_by \(condition)
      """, parameters)
    func time(_ row: Int, _ column: Int) throws -> Microseconds? {
      rows.isNull(row, column) ? nil : try rows.timestamptz(row, column)
    }
    return try (0..<rows.rowCount).map { row in
      let kind = HolderKind(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 2)))
      return ThirdPartyCodeRecord(
        id: try rows.int64(row, 0),
        holder: CodeHolder(name: try rows.string(row, 1), kind: kind ?? .unknown, checked: try rows.string(row, 3)),
        version: try rows.int64(row, 4), issued: try rows.timestamptz(row, 5), expires: try rows.timestamptz(row, 6),
        used: try time(row, 7), withdrawn: try time(row, 8),
        user: rows.isNull(row, 9)
          ? nil : .init(account: try rows.int64(row, 9), name: try rows.string(row, 10), disabled: try time(row, 11)))
    }
  }
}
