public import Domain
public import Postgres

/// Tokens of persons, of which the database keeps hashes.
public struct TokenRegistry: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Who a token stands for; nil if nobody.
  /// - Parameter hash: SHA-256 of the token, 32 bytes.
  /// - Throws: `PostgresError`.
  public func principal(tokenHash hash: [UInt8]) async throws -> Principal? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT person FROM access_token WHERE token_sha256 = $1 AND (expires_at IS NULL OR expires_at > now())
        """, [.bytea(hash)])
      return rows.rowCount == 0 ? nil : .person(try rows.int64(0, 0))
    }
  }

  /// Registers a token for a person.
  /// - Parameter hash: SHA-256 of the token, 32 bytes.
  public func add(tokenHash hash: [UInt8], for person: PersonID) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        "INSERT INTO access_token (token_sha256, person) VALUES ($1, $2)", [.bytea(hash), .int8(person)])
    }
  }
}
