internal import Domain
internal import Postgres

/// Takes everything that tells who somebody was out of every table but the readings'. What is left are numbers: of the
/// account, of its requests and of what was delivered.
///
/// The name of a third party stays: persons have a right to know who has received their readings.
enum ErasedIdentity {
  private static let statements: [String] =
    [
      // An emergency that is being written waits for this, and then finds the account erased.
      "SELECT FROM account WHERE id = $1 FOR UPDATE",
      "DELETE FROM session WHERE account = $1",
      "DELETE FROM access_token WHERE account = $1 OR person = $1",
      "DELETE FROM device WHERE person = $1",
      "DELETE FROM openid_link WHERE account = $1",
      "DELETE FROM bridge_permission WHERE person = $1 OR bridge = $1",
      "DELETE FROM log_in_attempt WHERE key = sha256(convert_to('account/' || $1::bigint, 'UTF8'))",
      "SELECT forget_notifications($1)",
      // Words of third parties about the person, and their own names for it.
      "UPDATE access_request SET purpose = '', request_id = NULL WHERE person = $1",
      "UPDATE access_request SET request_id = NULL WHERE third_party = $1",
      """
      UPDATE subscription s SET request_id = NULL, ended_at = coalesce(ended_at, now()) FROM access_request r
      WHERE r.id = s.access_request AND (r.person = $1 OR r.third_party = $1)
      """,
      // What an administrator's programs called their requests.
      "UPDATE third_party_code SET request_id = NULL WHERE issued_by = $1",
      "UPDATE bridge SET request_id = NULL WHERE created_by = $1",
      "UPDATE dispatcher SET request_id = NULL WHERE created_by = $1",
      "UPDATE maintenance SET request_id = NULL WHERE announced_by = $1",
      "DELETE FROM emergency WHERE person = $1",
      "DELETE FROM sos_contact WHERE person = $1",
      "DELETE FROM sos_contact_address WHERE person = $1",
      "DELETE FROM sos_threshold WHERE person = $1",
      "DELETE FROM sos_exertion WHERE person = $1",
      "DELETE FROM sos_settings WHERE person = $1",
      "DELETE FROM person WHERE account = $1",
    ] + ErasedRaces.statements + [
      """
      UPDATE account SET state = 'erased', username = NULL, email = NULL, claimed_email = NULL,
        password_hash = NULL, description = '',
        display_name = CASE WHEN kind = 'third_party' THEN display_name ELSE '' END, form_values = '{}',
        request_id = NULL, version = version + 1
      WHERE id = $1
      """
    ]

  private static let deleteClients = """
    DELETE FROM ingest_client c USING (
      SELECT 'person/' || $1::bigint || '/' AS prefix
      UNION ALL SELECT 'device/' || d.id || '/' FROM device d WHERE d.person = $1
      UNION ALL SELECT 'bridge/' || $1::bigint || '/'
    ) p WHERE starts_with(c.name, p.prefix) RETURNING c.name
    """

  /// Erases it all, in the caller's transaction.
  /// - Returns: names of clients that are no more.
  static func erase(_ account: AccountID, at now: Microseconds, _ connection: Connection) throws -> [String] {
    // An emergency that is being written waits for this, and then finds the account erased.
    _ = try connection.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [.int8(account)])
    let clients = try connection.query(deleteClients, [.int8(account)])
    for statement in statements { _ = try connection.query(statement, [.int8(account)]) }
    _ = try connection.query(
      """
      UPDATE erasure SET erased_at = $2, recipients = \(ErasureStore.recipients)
      WHERE account = $1 AND erased_at IS NULL
      """, [.int8(account), .timestamptz(microsecondsSinceUnixEpoch: now)])
    return try (0..<clients.rowCount).map { try clients.string($0, 0) }
  }
}
