internal import WireCodec
public import Domain
public import Log
public import Postgres

/// Links of accounts with subjects of an issuer, and the nonces of sign-ins that are done.
public struct OpenIDStore: Sendable {
  /// What became of a wish to link.
  public enum Link: Sendable, Equatable {
    /// They are linked now, or were before.
    case linked
    /// The subject is another account's, or the account is another subject's.
    case taken
    /// The account is not active any more, or has another password.
    case noAccount
  }

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Uses a nonce up, and forgets those whose time is long over.
  /// - Parameters:
  ///   - hash: its SHA-256, 32 bytes.
  ///   - end: when its time is over: whoever calls accepts it no longer.
  /// - Returns: false if it was used before.
  /// - Throws: `PostgresError`.
  public func useNonce(hash: [UInt8], until end: Microseconds) async throws -> Bool {
    try await pool.withConnection { connection in
      // The clocks of servers and of the database may differ.
      _ = try connection.query("DELETE FROM openid_used_nonce WHERE expires_at < now() - interval '1 hour'", [])
      let used = try connection.query(
        """
        INSERT INTO openid_used_nonce (nonce_sha256, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1
        """, [.bytea(hash), .timestamptz(microsecondsSinceUnixEpoch: end)])
      return used.rowCount == 1
    }
  }

  /// The account that is linked with a subject; nil if none is.
  public func account(issuer: String, subject: String) async throws -> AccountID? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT account FROM openid_link WHERE issuer = $1 AND subject = $2", [.text(issuer), .text(subject)])
      return rows.rowCount == 0 ? nil : try rows.int64(0, 0)
    }
  }

  /// Links an account with a subject, and tells the account of a new link.
  /// - Parameter hash: what the owner's password was checked against.
  public func link(
    _ account: AccountID, passwordHash hash: String, issuer: String, subject: String
  ) async throws -> Link {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let active = try connection.query(
          "SELECT FROM account WHERE id = $1 AND state = 'active' AND password_hash = $2 FOR NO KEY UPDATE",
          [.int8(account), .text(hash)])
        guard active.rowCount == 1 else { return .noAccount }
        _ = try connection.query(
          """
          WITH new AS (
            INSERT INTO openid_link (issuer, subject, account) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING account
          )
          SELECT add_notification(account, \(Trackme_Notifications_V1_NotificationKind.signInChanged.sql)::smallint, facts => '{"linked": "true"}') FROM new
          """, [.text(issuer), .text(subject), .int8(account)])
        // Read by a statement that sees what another transaction has committed meanwhile.
        let linked = try connection.query(
          "SELECT FROM openid_link WHERE issuer = $1 AND subject = $2 AND account = $3",
          [.text(issuer), .text(subject), .int8(account)])
        return linked.rowCount == 1 ? .linked : .taken
      }
    }
  }
}

extension OpenIDStore {
  /// Ends an account's links, and tells it if there was one.
  public func unlink(_ account: AccountID) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        """
        WITH gone AS (DELETE FROM openid_link WHERE account = $1 RETURNING account)
        SELECT add_notification(account, \(Trackme_Notifications_V1_NotificationKind.signInChanged.sql)::smallint, facts => '{"linked": "false"}') FROM gone
        """, [.int8(account)])
    }
  }
}

extension StorageSystem {
  /// Sign-ins at an issuer.
  public var openID: OpenIDStore { OpenIDStore(pool: pool) }
}
