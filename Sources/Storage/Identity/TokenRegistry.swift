public import Domain
public import Postgres

/// Who a token stands for.
public struct TokenHolder: Sendable, Hashable {
  public let principal: Principal
  /// The session that it belongs to; nil of other tokens.
  public let session: SessionID?
  /// How long it is valid from now on; nil for ever.
  public let timeLeft: Duration?

  public init(principal: Principal, session: SessionID? = nil, timeLeft: Duration? = nil) {
    self.principal = principal
    self.session = session
    self.timeLeft = timeLeft
  }
}

/// Tokens, of which the database keeps hashes. A token is valid until it expires, or its session, device or account
/// ends.
public struct TokenRegistry: Sendable {
  /// What makes a row of access_token (t), with its account (a), a valid token.
  private static let validTokens = """
    access_token t LEFT JOIN account a ON a.id = coalesce(t.account, t.person)
    WHERE t.kind <> 'refresh' AND (t.expires_at IS NULL OR t.expires_at > now())
      AND CASE WHEN t.kind = 'person' THEN a.id IS NULL OR (a.state = 'active' AND a.kind = 'person')
        ELSE a.state = 'active' END
    """

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Who a token stands for; nil if nobody.
  /// - Parameter hash: SHA-256 of the token, 32 bytes.
  /// - Throws: `PostgresError`.
  public func holder(tokenHash hash: [UInt8]) async throws -> TokenHolder? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT t.kind, coalesce(t.account, t.person), a.kind, t.session, t.device,
          ceil(extract(epoch FROM t.expires_at - now()) * 1000000)::bigint
        FROM \(Self.validTokens) AND t.token_sha256 = $1
        """, [.bytea(hash)])
      guard rows.rowCount == 1, let principal = try Self.principal(rows) else { return nil }
      return TokenHolder(
        principal: principal, session: rows.isNull(0, 3) ? nil : try rows.int64(0, 3),
        timeLeft: rows.isNull(0, 5) ? nil : .microseconds(try rows.int64(0, 5)))
    }
  }

  private static func principal(_ rows: Result) throws -> Principal? {
    let number = try rows.int64(0, 1)
    switch try rows.string(0, 0) {
    case "person": return .person(number)
    case "device": return .device(try rows.int64(0, 4), of: number)
    case "bridge": return try rows.string(0, 2) == "bridge" ? .bridge(number) : nil
    case "dispatcher": return try rows.string(0, 2) == "dispatcher" ? .dispatcher(number) : nil
    case "session": return AccountKind(rawValue: try rows.string(0, 2))?.sessionPrincipal(number)
    default: return nil
    }
  }

  /// Which of some tokens are valid now.
  /// - Parameter hashes: SHA-256 of each, 32 bytes.
  /// - Throws: `PostgresError`.
  public func valid(among hashes: [[UInt8]]) async throws -> Set<[UInt8]> {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT t.token_sha256 FROM \(Self.validTokens) AND t.token_sha256 = ANY($1)", [.byteaArray(hashes)])
      return Set(try (0..<rows.rowCount).map { try rows.bytes($0, 0) })
    }
  }

  /// Registers a token that an operator makes for a person, who need not have an account.
  /// - Parameter hash: SHA-256 of the token, 32 bytes.
  public func add(tokenHash hash: [UInt8], for person: PersonID) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        "INSERT INTO access_token (token_sha256, person) VALUES ($1, $2)", [.bytea(hash), .int8(person)])
    }
  }
}
