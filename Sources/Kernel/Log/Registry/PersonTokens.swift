public import Domain
internal import Postgres

/// A token that an operator made for a person: all that is known of it but the token.
public struct PersonToken: Sendable, Hashable {
  public let id: Int64
  /// What it was made for; may be empty.
  public let label: String
  public let created: Microseconds
  public let expires: Microseconds
}

/// Tokens that an operator makes for persons, who need not have accounts. Each is valid until its end; an operator ends it
/// sooner by its number, and its person by another password, by ending all sessions or by leaving.
extension TokenRegistry {
  /// How long such a token is valid unless its maker says otherwise, and at most.
  public static let defaultLifetime: Duration = .seconds(90 * 86_400)
  public static let maxLifetime: Duration = .seconds(1_095 * 86_400)

  /// Ends such tokens of an account's owner, in the caller's transaction. Takes the account.
  package static let endPersonTokens = "DELETE FROM access_token WHERE person = $1"

  /// Registers a token.
  /// - Parameter hash: SHA-256 of the token, 32 bytes.
  /// - Throws: `PostgresError`.
  public func add(
    tokenHash hash: [UInt8], for person: PersonID, label: String = "", lifetime: Duration = defaultLifetime
  ) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        """
        INSERT INTO access_token (token_sha256, person, label, expires_at)
        VALUES ($1, $2, $3, now() + make_interval(secs => $4))
        """, [.bytea(hash), .int8(person), .text(label), .float8(lifetime / .seconds(1))])
    }
  }

  /// The tokens that were made for a person and are valid, oldest first.
  /// - Throws: `PostgresError`.
  public func list(of person: PersonID) async throws -> [PersonToken] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT id, label, created_at, expires_at FROM access_token WHERE person = $1 AND expires_at > now() ORDER BY id
        """, [.int8(person)])
      return try (0..<rows.rowCount).map { row in
        PersonToken(
          id: try rows.int64(row, 0), label: try rows.string(row, 1), created: try rows.timestamptz(row, 2),
          expires: try rows.timestamptz(row, 3))
      }
    }
  }

  /// Ends a token.
  /// - Returns: false if no such token was made for a person, or it has ended.
  /// - Throws: `PostgresError`.
  public func revoke(_ id: Int64) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query(
        "DELETE FROM access_token WHERE id = $1 AND kind = 'person' AND expires_at > now() RETURNING 1", [.int8(id)]
      ).rowCount == 1
    }
  }
}
