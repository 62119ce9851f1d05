public import Domain
public import Postgres

/// Accounts that nobody registers: administrators, made on the command line; bridges and dispatchers, made by
/// administrators.
public struct StaffAccounts: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// What another account has.
  public enum Taken: Sendable {
    case username
    case email
  }

  /// Makes an administrator.
  /// - Returns: nil if it was made, or what another account has already.
  /// - Throws: `PostgresError`.
  public func addAdministrator(
    username: String, email: String, passwordHash: String
  ) async throws -> Taken? {
    try await pool.withConnection { connection -> Taken? in
      do {
        try connection.query(
          """
          INSERT INTO account (kind, username, email, password_hash, display_name)
          VALUES ('administrator', $1, $2, $3, $1)
          """, [.text(username), .text(email), .text(passwordHash)])
        return nil
      } catch let error as PostgresError where error.sqlState == "23505" {
        return error.constraint == "account_email" ? .email : .username
      }
    }
  }

  /// A program that has a token in place of sessions.
  public enum Program: Sendable {
    case bridge
    /// Calls go to the connected dispatcher with the least priority first; 0 to 1,000.
    case dispatcher(priority: Int32)

    /// Its kind of account and of token, and the name of its table.
    var kind: AccountKind {
      switch self {
      case .bridge: .bridge
      case .dispatcher: .dispatcher
      }
    }
  }

  /// Makes a program's account and its token, once for each request id of an administrator.
  ///
  /// - Parameters:
  ///   - tokenHash: SHA-256 of the token, 32 bytes.
  ///   - requestID: of the administrator's choice, or empty.
  /// - Returns: the account; nil if the name is taken.
  /// - Throws: `PostgresError`.
  public func add(
    _ program: Program, name: String, tokenHash: [UInt8], by administrator: AccountID, requestID: String
  ) async throws -> Issued<AccountID>? {
    let table = program.kind.rawValue
    return try await pool.withConnection { connection -> Issued<AccountID>? in
      if let earlier = try Self.account(in: table, connection, administrator, requestID) { return .earlier(earlier) }
      do {
        return try connection.inTransaction { connection in
          let account = try connection.query(
            "INSERT INTO account (kind, username, display_name) VALUES ($1, $2, $2) RETURNING id",
            [.text(table), .text(name)]
          ).int64(0, 0)
          switch program {
          case .bridge:
            try connection.query(
              "INSERT INTO bridge (account, created_by, request_id) VALUES ($1, $2, nullif($3, ''))",
              [.int8(account), .int8(administrator), .text(requestID)])
          case .dispatcher(let priority):
            try connection.query(
              "INSERT INTO dispatcher (account, created_by, request_id, priority) VALUES ($1, $2, nullif($3, ''), $4)",
              [.int8(account), .int8(administrator), .text(requestID), .int4(priority)])
          }
          try connection.query(
            "INSERT INTO access_token (token_sha256, kind, account) VALUES ($1, $2, $3)",
            [.bytea(tokenHash), .text(table), .int8(account)])
          return .made(account)
        }
      } catch let error as PostgresError where error.sqlState == "23505" {
        // Somebody was faster: the same request, or another account of the name.
        return try Self.account(in: table, connection, administrator, requestID).map { .earlier($0) }
      }
    }
  }

  /// A program's account, as it is stored.
  public struct ProgramRecord: Sendable, Equatable {
    public let account: AccountID
    public let name: String
    /// Of a dispatcher; 0 of a bridge.
    public let priority: Int32
    public let created: Microseconds
    /// When the account ended; nil: it has not.
    public let revoked: Microseconds?
  }

  /// Programs with smaller numbers than `before`, newest first.
  /// - Parameter kind: bridge or dispatcher.
  /// - Throws: `PostgresError`.
  public func list(_ kind: AccountKind, before: AccountID, limit: Int) async throws -> [ProgramRecord] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT a.id, a.display_name, \(kind == .dispatcher ? "p.priority" : "0"), a.created_at,
          CASE WHEN a.state <> 'active' THEN a.ended_at END
        FROM \(kind.rawValue) p JOIN account a ON a.id = p.account
        WHERE p.account < $1 ORDER BY p.account DESC LIMIT $2
        """, [.int8(before), .int8(Int64(limit))])
      return try (0..<rows.rowCount).map { row in
        ProgramRecord(
          account: try rows.int64(row, 0), name: try rows.string(row, 1), priority: try rows.int32(row, 2),
          created: try rows.timestamptz(row, 3), revoked: rows.isNull(row, 4) ? nil : try rows.timestamptz(row, 4))
      }
    }
  }

  /// Ends a program's account: its tokens, and what persons let it do. Ending it again changes nothing.
  /// - Parameter kind: bridge or dispatcher.
  /// - Returns: whether there is such an account.
  /// - Throws: `PostgresError`.
  public func end(_ kind: AccountKind, _ account: AccountID) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.inTransaction { try Self.end(kind, account, $0) }
    }
  }

  /// The same, in a transaction of the caller's.
  public static func end(_ kind: AccountKind, _ account: AccountID, _ connection: Connection) throws -> Bool {
    let ended = try connection.query(
      """
      UPDATE account SET state = 'deactivated', version = version + 1, ended_at = coalesce(ended_at, now())
      WHERE id = $1 AND kind = $2 RETURNING id
      """, [.int8(account), .text(kind.rawValue)])
    guard ended.rowCount == 1 else { return false }
    try connection.query("DELETE FROM access_token WHERE account = $1", [.int8(account)])
    try connection.query("DELETE FROM bridge_permission WHERE bridge = $1", [.int8(account)])
    return true
  }

  /// The priority of a dispatcher; nil if there is none of the number.
  /// - Throws: `PostgresError`.
  public func dispatcher(_ account: AccountID) async throws -> (name: String, priority: Int32)? {
    try await pool.withConnection { connection in
      let row = try connection.query(
        "SELECT a.display_name, d.priority FROM dispatcher d JOIN account a ON a.id = d.account WHERE d.account = $1",
        [.int8(account)])
      return row.rowCount == 0 ? nil : (try row.string(0, 0), try row.int32(0, 1))
    }
  }

  /// - Parameter table: "bridge" or "dispatcher".
  private static func account(
    in table: String, _ connection: Connection, _ administrator: AccountID, _ requestID: String
  ) throws -> AccountID? {
    let row = try connection.query(
      "SELECT account FROM \(table) WHERE created_by = $1 AND request_id = $2",
      [.int8(administrator), .text(requestID)])
    return row.rowCount == 0 ? nil : try row.int64(0, 0)
  }
}
