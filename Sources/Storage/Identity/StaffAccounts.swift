public import Domain
public import Postgres

/// Accounts that nobody registers: administrators, made on the command line, and bridges, made by administrators.
public struct StaffAccounts: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Makes an administrator.
  /// - Returns: nil if it was made, or what another account has already.
  /// - Throws: `PostgresError`.
  public func addAdministrator(
    username: String, email: String, passwordHash: String
  ) async throws -> RegistrationConflict? {
    try await pool.withConnection { connection -> RegistrationConflict? in
      do {
        try connection.query(
          """
          INSERT INTO account (kind, username, email, password_hash, display_name)
          VALUES ('administrator', $1, $2, $3, $1)
          """, [.text(username), .text(email), .text(passwordHash)])
        return nil
      } catch let error as PostgresError where error.sqlState == "23505" {
        guard let conflict = RegistrationConflict(constraint: error.constraint) else { throw error }
        return conflict
      }
    }
  }

  /// Makes a bridge and its token, once for each request id of an administrator.
  ///
  /// - Parameters:
  ///   - tokenHash: SHA-256 of the token, 32 bytes.
  ///   - requestID: of the administrator's choice, or empty.
  /// - Returns: the bridge's number; nil if the name is taken.
  /// - Throws: `PostgresError`.
  public func addBridge(
    name: String, tokenHash: [UInt8], by administrator: AccountID, requestID: String
  ) async throws -> Issued<AccountID>? {
    try await pool.withConnection { connection -> Issued<AccountID>? in
      if let earlier = try Self.bridge(connection, administrator, requestID) { return .earlier(earlier) }
      do {
        return try connection.inTransaction { connection in
          let bridge = try connection.query(
            """
            INSERT INTO account (kind, username, display_name) VALUES ('bridge', $1, $1) RETURNING id
            """, [.text(name)]
          ).int64(0, 0)
          try connection.query(
            "INSERT INTO bridge (account, created_by, request_id) VALUES ($1, $2, nullif($3, ''))",
            [.int8(bridge), .int8(administrator), .text(requestID)])
          try connection.query(
            "INSERT INTO access_token (token_sha256, kind, account) VALUES ($1, 'bridge', $2)",
            [.bytea(tokenHash), .int8(bridge)])
          return .made(bridge)
        }
      } catch let error as PostgresError where error.sqlState == "23505" {
        // Somebody was faster: the same request, or another bridge of the name.
        return try Self.bridge(connection, administrator, requestID).map { .earlier($0) }
      }
    }
  }

  /// Ends a bridge: its tokens, and what persons let it do. Ending it again changes nothing.
  /// - Returns: whether there is such a bridge.
  /// - Throws: `PostgresError`.
  public func endBridge(_ bridge: AccountID) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let ended = try connection.query(
          """
          UPDATE account SET state = 'deactivated', version = version + 1, ended_at = coalesce(ended_at, now())
          WHERE id = $1 AND kind = 'bridge' RETURNING id
          """, [.int8(bridge)])
        guard ended.rowCount == 1 else { return false }
        try connection.query("DELETE FROM access_token WHERE account = $1", [.int8(bridge)])
        try connection.query("DELETE FROM bridge_permission WHERE bridge = $1", [.int8(bridge)])
        return true
      }
    }
  }

  private static func bridge(
    _ connection: Connection, _ administrator: AccountID, _ requestID: String
  ) throws -> AccountID? {
    let row = try connection.query(
      "SELECT account FROM bridge WHERE created_by = $1 AND request_id = $2",
      [.int8(administrator), .text(requestID)])
    return row.rowCount == 0 ? nil : try row.int64(0, 0)
  }
}
