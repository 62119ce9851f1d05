internal import Domain
internal import Postgres

/// Takes everything that tells who somebody was out of every table but the readings'. What is left are numbers: of the
/// account, of its requests and of what was delivered.
enum ErasedIdentity {
  private static func deleteClients(_ areas: [AreaTables]) -> String {
    let prefixes = ["SELECT 'person/' || $1::bigint || '/' AS prefix", "SELECT 'bridge/' || $1::bigint || '/'"]
    return """
      DELETE FROM ingest_client c USING (\((prefixes + areas.flatMap(\.clients)).joined(separator: " UNION ALL "))) p
      WHERE starts_with(c.name, p.prefix) RETURNING c.name
      """
  }

  /// Erases it all, in the caller's transaction.
  /// - Returns: names of clients that are no more.
  static func erase(
    _ account: AccountID, of areas: [AreaTables], at now: Microseconds, _ connection: Connection
  ) throws -> [String] {
    // An emergency that is being written waits for this, and then finds the account erased.
    _ = try connection.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [.int8(account)])
    let clients = try connection.query(deleteClients(areas), [.int8(account)])
    for area in areas.reversed() {
      for statement in area.erasure { _ = try connection.query(statement, [.int8(account)]) }
    }
    _ = try connection.query(
      """
      UPDATE erasure SET erased_at = $2 WHERE account = $1 AND erased_at IS NULL
      """, [.int8(account), .timestamptz(microsecondsSinceUnixEpoch: now)])
    return try (0..<clients.rowCount).map { try clients.string($0, 0) }
  }
}
