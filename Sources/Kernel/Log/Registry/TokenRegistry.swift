public import Domain
public import Postgres

/// Who a token stands for.
public struct TokenHolder: Sendable, Hashable {
  public let principal: Principal
  /// The session that it belongs to; nil of other tokens.
  public let session: SessionID?
  /// How long it is valid from now on; nil for ever.
  public let timeLeft: Duration?
  /// Whether an administrator has disabled the account: its owner has the way out alone.
  public let isDisabled: Bool

  public init(principal: Principal, session: SessionID? = nil, timeLeft: Duration? = nil, isDisabled: Bool = false) {
    self.principal = principal
    self.session = session
    self.timeLeft = timeLeft
    self.isDisabled = isDisabled
  }
}

/// A valid token.
public struct TokenRecord: Sendable, Hashable {
  /// SHA-256 of the token, 32 bytes.
  public let hash: [UInt8]
  public let holder: TokenHolder
}

/// Where the next look at the tokens begins.
public struct TokenMark: Sendable, Hashable {
  /// What the look before saw, as PostgreSQL's pg_snapshot.
  let snapshot: String
}

/// Tokens, of which the database keeps hashes. A token is valid until it expires, or its session, device or account
/// ends.
public struct TokenRegistry: Sendable {
  /// Which accounts `a` may have sessions: a person's that is disabled has the way out.
  package static let mayHaveSessions = "(a.state = 'active' OR a.state = 'disabled' AND a.kind = 'person')"

  /// What makes a row of access_token (t), with its account (a), a valid token.
  private static let validTokens = """
    SELECT t.kind, coalesce(t.account, t.person), a.kind, t.session, t.device,
      ceil(extract(epoch FROM t.expires_at - now()) * 1000000)::bigint, t.token_sha256,
      coalesce(a.state = 'disabled', false)
    FROM access_token t LEFT JOIN account a ON a.id = coalesce(t.account, t.person)
    WHERE t.kind <> 'refresh' AND (t.expires_at IS NULL OR t.expires_at > now())
      AND CASE WHEN t.kind = 'person' THEN a.id IS NULL OR (a.state = 'active' AND a.kind = 'person')
        WHEN t.kind = 'session' THEN \(mayHaveSessions)
        ELSE a.state = 'active' END
    """
  /// How many accounts' tokens are read together.
  private static let pageSize = 5_000

  let pool: Pool
  private let unknownPool: Pool

  /// - Parameter unknownPool: asked about single tokens, which anybody can invent. nil: the other one.
  public init(pool: Pool, unknown unknownPool: Pool? = nil) {
    self.pool = pool
    self.unknownPool = unknownPool ?? pool
  }

  /// Who a token stands for; nil if nobody.
  /// - Parameter hash: SHA-256 of the token, 32 bytes.
  /// - Throws: `PostgresError`.
  public func holder(tokenHash hash: [UInt8]) async throws -> TokenHolder? {
    try await unknownPool.withConnection { connection in
      var found: TokenRecord?
      try connection.streamRows("\(Self.validTokens) AND t.token_sha256 = $1", [.bytea(hash)]) {
        found = try Self.record($0)
      }
      return found?.holder
    }
  }

  private static func record(_ row: Row) throws -> TokenRecord? {
    guard let principal = try principal(row) else { return nil }
    return TokenRecord(
      hash: try row.bytes(6),
      holder: TokenHolder(
        principal: principal, session: row.isNull(3) ? nil : try row.int64(3),
        timeLeft: row.isNull(5) ? nil : .microseconds(try row.int64(5)), isDisabled: try row.bool(7)))
  }

  private static func principal(_ row: Row) throws -> Principal? {
    let number = try row.int64(1)
    switch try row.string(0) {
    case "person": return .person(number)
    case "device": return .device(try row.int64(4), of: number)
    case "bridge": return try row.string(2) == "bridge" ? .bridge(number) : nil
    case "dispatcher": return try row.string(2) == "dispatcher" ? .dispatcher(number) : nil
    case "session": return AccountKind(rawValue: try row.string(2))?.sessionPrincipal(number)
    default: return nil
    }
  }

  // MARK: All of them, for who keeps them at hand

  /// Reads every valid token.
  /// - Parameter make: makes of each what is kept of it, on a thread of the pool.
  /// - Returns: what was made, and where the next look begins.
  /// - Throws: `PostgresError`.
  public func all<Token: Sendable>(
    _ make: @escaping @Sendable (TokenRecord) -> Token
  ) async throws -> (tokens: [Token], next: TokenMark) {
    try await pool.withConnection { connection in
      // The tokens are read after the mark is set: what is changed in between is read again by the next look.
      let mark = TokenMark(snapshot: try connection.query("SELECT pg_current_snapshot()::text", []).string(0, 0))
      var tokens: [Token] = []
      try connection.streamRows(Self.validTokens) { row in
        if let token = try Self.record(row) { tokens.append(make(token)) }
      }
      return (tokens, mark)
    }
  }

  /// Reads what has changed since an earlier look. What is named may have been named by the look before; nothing that is
  /// committed is ever left out.
  ///
  /// - Parameter accounts: whose tokens are read in any case.
  /// - Returns: the accounts whose tokens may have changed, all tokens of these that are valid now, and where the next look
  ///   begins.
  /// - Throws: `PostgresError`.
  public func changes(
    since mark: TokenMark, and accounts: Set<AccountID> = []
  ) async throws -> (accounts: Set<AccountID>, tokens: [TokenRecord], next: TokenMark) {
    try await pool.withConnection { connection in
      // One statement sees one state of the database, and says which.
      let rows = try connection.repeatedQuery(
        """
        SELECT now.snapshot, c.account FROM (SELECT pg_current_snapshot()::text AS snapshot) AS now
        LEFT JOIN (
          SELECT DISTINCT account FROM token_change
          WHERE changed_in >= pg_snapshot_xmin($1::pg_snapshot)
            AND NOT pg_visible_in_snapshot(changed_in, $1::pg_snapshot)
        ) AS c ON true
        """, [.text(mark.snapshot)])
      let next = TokenMark(snapshot: try rows.string(0, 0))
      var changed = accounts
      for row in 0..<rows.rowCount where !rows.isNull(row, 1) { changed.insert(try rows.int64(row, 1)) }
      var tokens: [TokenRecord] = []
      var left = Array(changed)[...]
      while !left.isEmpty {
        let page = Parameter.int8Array(Array(left.prefix(Self.pageSize)))
        left = left.dropFirst(Self.pageSize)
        try connection.streamRows("\(Self.validTokens) AND (t.account = ANY ($1) OR t.person = ANY ($1))", [page]) {
          row in
          if let token = try Self.record(row) { tokens.append(token) }
        }
      }
      return (changed, tokens, next)
    }
  }

  /// How long changes can be read: who has not looked for so long begins anew with `all`.
  public static let changesLast: Duration = .seconds(3_600)

  /// Forgets changes that are older than that.
  /// - Throws: `PostgresError`.
  public func sweepChanges() async throws {
    let seconds = Double(Self.changesLast.components.seconds)
    try await pool.withConnection { connection in
      _ = try connection.query(
        "DELETE FROM token_change WHERE changed_at < now() - make_interval(secs => $1)", [.float8(seconds)])
    }
  }
}
