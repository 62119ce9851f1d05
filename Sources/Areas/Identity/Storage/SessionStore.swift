public import Domain
internal import IdentityRules
internal import Log
public import Postgres

/// A log-in that has begun or goes on.
public struct SessionRecord: Sendable, Hashable {
  public let session: SessionID
  public let account: AccountID
  public let kind: AccountKind
  /// Whether the password is the one that somebody else has chosen.
  public let isPasswordInitial: Bool
  /// Whether an administrator has disabled the account.
  public let isDisabled: Bool
  /// When the session token and the refresh token end.
  public let expires: Microseconds
  public let refreshExpires: Microseconds
}

/// Hashes (SHA-256) of the two tokens of a session.
public struct SessionTokenHashes: Sendable, Hashable {
  public let session: [UInt8]
  public let refresh: [UInt8]

  public init(session: [UInt8], refresh: [UInt8]) {
    self.session = session
    self.refresh = refresh
  }
}

/// Sessions of accounts.
public struct SessionStore: Sendable {
  /// The most sessions of an account; a further one ends the oldest.
  public static let maxPerAccount = 100
  /// How long a session token is valid.
  public static let tokenLifetime: Duration = .seconds(900)
  /// How long a refresh token is valid, and with it the session if nobody renews it.
  public static let refreshLifetime: Duration = .seconds(30 * 86_400)

  /// The most exchanges of a session that are remembered: of later ones, the tokens that they gave are valid no more, and a
  /// refresh token that is used again is not known to have been.
  public static let maxExchanges = 20

  /// A third party's account that an administrator has disabled has no sessions.
  public struct Disabled: Error {}

  /// What a refresh token led to.
  public enum Refresh: Sendable, Hashable {
    case done(SessionRecord)
    /// It was used before: the session has ended.
    case ended(SessionID, of: AccountID)
    /// There is no such token, or it has expired.
    case unknown
  }

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Begins a session.
  /// - Parameter passwordHash: what the password was checked against; the session does not begin if it is another one
  ///   by now.
  /// - Returns: the session, and those that ended to make room; nil if there is no such active account, or it is a
  ///   bridge's.
  /// - Throws: `Disabled`; `PostgresError`.
  public func begin(
    for account: AccountID, passwordHash: String? = nil, tokens: SessionTokenHashes
  ) async throws -> (session: SessionRecord, ended: [SessionID])? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let found = try connection.query(
          """
          SELECT kind, password_is_initial, state = 'disabled' FROM account
          WHERE id = $1 AND state IN ('active', 'disabled') AND kind <> 'bridge'
            AND ($2::text IS NULL OR password_hash = $2) FOR NO KEY UPDATE
          """, [.int8(account), passwordHash.map { .text($0) } ?? .null(TypeOID.text)])
        guard found.rowCount == 1, let kind = AccountKind(rawValue: try found.string(0, 0)) else { return nil }
        let holder = Holder(
          account: account, kind: kind, isPasswordInitial: try found.bool(0, 1), isDisabled: try found.bool(0, 2))
        guard kind == .person || !holder.isDisabled else { throw Disabled() }
        let excess = try connection.query(
          """
          DELETE FROM session WHERE id IN (
            SELECT id FROM session WHERE account = $1 ORDER BY id DESC OFFSET $2) RETURNING id
          """, [.int8(account), .int8(Int64(Self.maxPerAccount - 1))])
        let ended = try (0..<excess.rowCount).map { try excess.int64($0, 0) }
        let session = try connection.query(
          "INSERT INTO session (account, expires_at) VALUES ($1, now()) RETURNING id", [.int8(account)]
        ).int64(0, 0)
        return (try Self.add(tokens, to: session, of: holder, connection), ended)
      }
    }
  }

  /// Exchanges a refresh token for new tokens; a token that was exchanged before ends its session.
  /// - Throws: `PostgresError`.
  public func refresh(tokenHash hash: [UInt8], tokens: SessionTokenHashes) async throws -> Refresh {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // The session's row is what exchanges of one session wait for.
        let found = try connection.query(
          """
          SELECT s.id, a.id, a.kind, a.password_is_initial, a.state = 'disabled'
          FROM session s JOIN account a ON a.id = s.account AND \(TokenRegistry.mayHaveSessions)
          WHERE s.id = (SELECT session FROM access_token WHERE token_sha256 = $1 AND kind = 'refresh')
          FOR UPDATE OF s
          """, [.bytea(hash)])
        guard found.rowCount == 1, let kind = AccountKind(rawValue: try found.string(0, 2)) else { return .unknown }
        let (session, account) = (try found.int64(0, 0), try found.int64(0, 1))
        let used = try connection.query(
          """
          UPDATE access_token SET used_at = now()
          WHERE token_sha256 = $1 AND used_at IS NULL AND expires_at > now() RETURNING 1
          """, [.bytea(hash)])
        if used.rowCount == 1 {
          // Each exchange leaves two tokens; now() is the same for both.
          _ = try connection.query(
            """
            DELETE FROM access_token WHERE session = $1 AND (expires_at <= now() OR created_at <= (
              SELECT created_at FROM access_token WHERE session = $1 ORDER BY created_at DESC OFFSET $2 LIMIT 1))
            """, [.int8(session), .int8(Int64(2 * Self.maxExchanges))])
          let holder = Holder(
            account: account, kind: kind, isPasswordInitial: try found.bool(0, 3), isDisabled: try found.bool(0, 4))
          return .done(try Self.add(tokens, to: session, of: holder, connection))
        }
        let reused = try connection.query(
          """
          DELETE FROM session WHERE id = $1
            AND EXISTS (SELECT FROM access_token WHERE token_sha256 = $2 AND used_at IS NOT NULL) RETURNING 1
          """, [.int8(session), .bytea(hash)])
        return reused.rowCount == 1 ? .ended(session, of: account) : .unknown
      }
    }
  }

  /// Whose session it is.
  private struct Holder {
    let account: AccountID
    let kind: AccountKind
    let isPasswordInitial: Bool
    let isDisabled: Bool
  }

  private static func add(
    _ tokens: SessionTokenHashes, to session: SessionID, of holder: Holder, _ connection: Connection
  ) throws -> SessionRecord {
    let added = try connection.query(
      """
      INSERT INTO access_token (token_sha256, kind, account, session, expires_at) VALUES
        ($1, 'session', $3, $4, now() + $5 * interval '1 second'),
        ($2, 'refresh', $3, $4, now() + $6 * interval '1 second')
      RETURNING expires_at
      """,
      [
        .bytea(tokens.session), .bytea(tokens.refresh), .int8(holder.account), .int8(session),
        .int8(tokenLifetime.components.seconds), .int8(refreshLifetime.components.seconds),
      ])
    let record = SessionRecord(
      session: session, account: holder.account, kind: holder.kind, isPasswordInitial: holder.isPasswordInitial,
      isDisabled: holder.isDisabled, expires: try added.timestamptz(0, 0),
      refreshExpires: try added.timestamptz(1, 0))
    _ = try connection.query(
      "UPDATE session SET expires_at = $2 WHERE id = $1",
      [.int8(session), .timestamptz(microsecondsSinceUnixEpoch: record.refreshExpires)])
    return record
  }

  /// Ends one session.
  /// - Throws: `PostgresError`.
  public func end(_ session: SessionID) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query("DELETE FROM session WHERE id = $1", [.int8(session)])
    }
  }

  /// Ends every session of an account, and the tokens that an operator made for it.
  /// - Throws: `PostgresError`.
  public func endAll(of account: AccountID) async throws {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        _ = try connection.query("DELETE FROM session WHERE account = $1", [.int8(account)])
        _ = try connection.query(TokenRegistry.endPersonTokens, [.int8(account)])
      }
    }
  }

  /// Removes what has expired: sessions, tokens of persons, counts of wrong passwords after `LogInLock.memory`, and devices
  /// after `DeviceStore.endedLasts` with the names of their clients. At most some thousand rows at once.
  /// - Throws: `PostgresError`.
  public func sweep() async throws {
    try await pool.withConnection { connection in
      try connection.execute(
        """
        DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expires_at < now() LIMIT 5000);
        DELETE FROM access_token WHERE id IN (
          SELECT id FROM access_token WHERE person IS NOT NULL AND expires_at < now() LIMIT 5000);
        """)
      try connection.query(
        """
        DELETE FROM log_in_attempt WHERE key IN (
          SELECT key FROM log_in_attempt WHERE attempted_at < now() - $1 * interval '1 microsecond' LIMIT 50000)
        """, [.int8(LogInLock.memory)])
      try connection.query(
        """
        WITH gone AS (
          DELETE FROM device WHERE id IN (
            SELECT id FROM device WHERE coalesce(revoked_at, expires_at) < now() - $1 * interval '1 microsecond'
            LIMIT 5000)
          RETURNING id
        )
        DELETE FROM ingest_client c USING gone g
        WHERE starts_with(c.name, 'device/') AND split_part(c.name, '/', 2) = g.id::text
        """, [.int8(DeviceStore.endedLasts)])
    }
  }
}
