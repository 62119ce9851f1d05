internal import Log
internal import WireCodec
internal import Domain
internal import IdentityRules
internal import Postgres

/// Who had an e-mail address or a fiscal code first. Somebody who names it as well is not told so: the answer is the same
/// as if nobody had it. Those who have it are told, in the inbox and by mail.
struct FirstHolders {
  /// An account is told once in this time.
  static let newsPause: Microseconds = 24 * 3_600 * 1_000_000

  private static let kind = Trackme_Notifications_V1_NotificationKind.registeredAgain.sql

  let haveEmail: Bool
  let haveFiscalCode: Bool
  private let accounts: [AccountID]

  /// Finds them, and locks their rows and the account's own to the end of the transaction, in the order of their numbers:
  /// two that name what the other one has do not wait for each other.
  ///
  /// - Parameter account: the account that names it, if it is there already.
  init(ofEmail email: String, fiscalCode: FiscalCode? = nil, for account: AccountID? = nil, _ connection: Connection)
    throws
  {
    let rows = try connection.query(
      """
      SELECT a.id, a.id IS NOT DISTINCT FROM $3, coalesce(lower(a.email) = lower($1), false),
        EXISTS (SELECT FROM person p WHERE p.account = a.id AND p.fiscal_code = $2 AND p.holds_fiscal_code)
      FROM account a WHERE a.id IN (
        SELECT id FROM account WHERE lower(email) = lower($1)
        UNION ALL SELECT account FROM person WHERE fiscal_code = $2 AND holds_fiscal_code
        UNION ALL SELECT $3::bigint)
      ORDER BY a.id FOR NO KEY UPDATE OF a
      """,
      [
        .text(email), fiscalCode.map { .text($0.text) } ?? .null(TypeOID.text),
        account.map { .int8($0) } ?? .null(TypeOID.int8),
      ])
    let others = try (0..<rows.rowCount).filter { try !rows.bool($0, 1) }
    accounts = try others.map { try rows.int64($0, 0) }
    haveEmail = try others.contains { try rows.bool($0, 2) }
    haveFiscalCode = try others.contains { try rows.bool($0, 3) }
  }

  /// Tells them, each once in `newsPause` at most.
  func tell(_ connection: Connection) throws {
    // Their rows are locked: of two that tell at once, the second one sees what the first one has told.
    try connection.query(
      """
      WITH told AS (
        INSERT INTO notification (account, kind, facts)
        SELECT a.id, \(Self.kind), jsonb_build_object('username', a.username)
        FROM account a WHERE a.id = ANY ($1) AND a.state = 'active' AND NOT EXISTS (
          SELECT FROM notification n
          WHERE n.account = a.id AND n.kind = \(Self.kind) AND n.created_at > now() - $2 * interval '1 microsecond')
        RETURNING account, kind, facts
      )
      INSERT INTO email_queue (account, address, kind, facts)
      SELECT t.account, a.email, t.kind, t.facts FROM told t JOIN account a ON a.id = t.account WHERE a.email <> ''
      """, [.int8Array(accounts), .int8(Self.newsPause)])
  }
}
