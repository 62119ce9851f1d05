internal import WireCodec
public import Domain
internal import IdentityRules
internal import Log
public import Postgres

/// What a password is checked against.
public struct PasswordRecord: Sendable {
  /// nil if no account has the name.
  public let account: AccountID?
  /// nil if there is no account, or it has no password.
  public let hash: String?
  /// Under which everybody's wrong passwords are counted: an account's are, whatever name it was called by.
  public let key: [UInt8]
  /// Under which those of this session, this device or this machine's administrators are counted beside that: a lock
  /// that others have brought about does not hold for it. nil of strangers.
  public let ownKey: [UInt8]?
  /// For how many seconds more log-ins are locked; 0 if they are not.
  public let lockedSeconds: Int64
}

/// Passwords of accounts, and how often they were wrong.
public struct PasswordRecords: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// What to check a password of a username or e-mail address against.
  /// - Parameters:
  ///   - tokenHash: SHA-256 of the token that the client shows, if it shows one: a session's, a refresh token that was
  ///     not used, or a device's makes it known to its own account.
  ///   - isAtMachine: whether the client is at the server's machine: administrators are known there.
  /// - Throws: `PostgresError`.
  public func find(
    name: String, tokenHash: [UInt8]? = nil, isAtMachine: Bool = false
  ) async throws -> PasswordRecord {
    try await find(
      """
      SELECT a.id, a.password_hash, coalesce('account/' || a.id, 'name/' || lower(n.name)) AS name,
        coalesce(
          (SELECT coalesce('session/' || t.session, 'device/' || t.device) FROM access_token t
            WHERE t.token_sha256 = $2 AND t.account = a.id AND t.kind IN ('session', 'refresh', 'device')
              AND t.used_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())),
          CASE WHEN $3 AND a.kind = 'administrator' THEN 'machine' END) AS way
      FROM (SELECT $1::text AS name) n LEFT JOIN account a
        ON (lower(a.username) = lower(n.name) OR lower(a.email) = lower(n.name))
        AND a.state IN ('active', 'disabled') AND a.kind <> 'bridge'
      ORDER BY a.id LIMIT 1
      """, [.text(name), tokenHash.map(Parameter.bytea) ?? .null(TypeOID.bytea), .bool(isAtMachine)])
  }

  /// What to check a password of an account against.
  /// - Parameter session: in which the client is; it is known by it.
  /// - Throws: `PostgresError`.
  public func find(account: AccountID, session: SessionID?) async throws -> PasswordRecord {
    try await find(
      """
      SELECT a.id, a.password_hash, 'account/' || n.id AS name, 'session/' || $2::bigint AS way
      FROM (SELECT $1::bigint AS id) n LEFT JOIN account a ON a.id = n.id AND a.state IN ('active', 'disabled')
      """, [.int8(account), session.map { .int8($0) } ?? .null(TypeOID.int8)])
  }

  private func find(_ candidate: String, _ parameters: [Parameter]) async throws -> PasswordRecord {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        WITH c AS (
          SELECT id, password_hash, sha256(convert_to(name, 'UTF8')) AS key,
            sha256(convert_to(name || '/' || way, 'UTF8')) AS own_key
          FROM (\(candidate)) candidate
        )
        SELECT c.id, c.password_hash, c.key, c.own_key, coalesce(greatest(0,
          ceil(extract(epoch FROM attempt.locked_until - now()))), 0)::bigint
        FROM c LEFT JOIN log_in_attempt attempt ON attempt.key = coalesce(c.own_key, c.key)
        """, parameters)
      return PasswordRecord(
        account: rows.isNull(0, 0) ? nil : try rows.int64(0, 0),
        hash: rows.isNull(0, 1) ? nil : try rows.string(0, 1), key: try rows.bytes(0, 2),
        ownKey: rows.isNull(0, 3) ? nil : try rows.bytes(0, 3), lockedSeconds: try rows.int64(0, 4))
    }
  }

  /// Counts a password that was checked. A wrong one of a known client counts for everybody as well; a right one starts
  /// its own count anew alone.
  /// - Returns: 0, or for how many seconds log-ins are locked: then whether it was right must not be told.
  /// - Throws: `PostgresError`.
  public func count(_ record: PasswordRecord, isRight: Bool) async throws -> Int64 {
    try await pool.withConnection { connection in
      func count(_ key: [UInt8]) throws -> Int64 {
        try connection.query(
          "SELECT count_log_in($1, $2, $3, $4 * interval '1 microsecond')",
          [.bytea(key), .bool(isRight), .int4(Int32(LogInLock.wrongInARow)), .int8(LogInLock.time)]
        ).int64(0, 0)
      }
      guard let own = record.ownKey else { return try count(record.key) }
      let locked = try count(own)
      if locked == 0, !isRight { _ = try count(record.key) }
      return locked
    }
  }

  /// Sets another password, ends the account's other sessions, the tokens that an operator made for it and its link with
  /// a sign-in, and puts a notification into its inbox.
  /// - Parameters:
  ///   - old: the hash that the old password was checked against.
  ///   - kept: the session that goes on.
  /// - Returns: false if the password is another one by now, or the account has ended.
  /// - Throws: `PostgresError`.
  public func change(
    of account: AccountID, from old: String, to new: String, keeping kept: SessionID?
  ) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let changed = try connection.query(
          """
          UPDATE account SET password_hash = $3, password_is_initial = false
          WHERE id = $1 AND password_hash = $2 AND state IN ('active', 'disabled')
          RETURNING add_notification(id, \(Trackme_Notifications_V1_NotificationKind.passwordChanged.sql)::smallint)
          """, [.int8(account), .text(old), .text(new)])
        guard changed.rowCount == 1 else { return false }
        _ = try connection.query(
          "DELETE FROM session WHERE account = $1 AND id IS DISTINCT FROM $2",
          [.int8(account), kept.map { .int8($0) } ?? .null(TypeOID.int8)])
        _ = try connection.query(TokenRegistry.endPersonTokens, [.int8(account)])
        // Whoever knew the old password may have linked a sign-in of their own.
        _ = try connection.query("DELETE FROM openid_link WHERE account = $1", [.int8(account)])
        return true
      }
    }
  }
}
