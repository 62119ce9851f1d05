public import Domain
internal import Log
internal import Postgres
internal import WireCodec

/// Accounts of persons and third parties that administrators take out of use, and back.
public struct DisabledAccounts: Sendable {
  /// For how long after it was disabled something may still be on its way that ends with an account.
  static let suspendsFor: Microseconds = 5_000_000
  private static let round = 100

  private let pool: Pool
  private let areas: [AreaTables]

  init(_ storage: StorageSystem) {
    pool = storage.pool
    areas = storage.areas
  }

  /// Disables an account, with its sessions, tokens, devices and bridges, and tells its owner; or enables it again. What ends
  /// with it beside that is left to `StorageSystem.suspend`. One that is as it should be stays so.
  ///
  /// - Parameters:
  ///   - number: of the account; 0 where its name is given.
  ///   - name: username or e-mail address; empty where the number is given.
  /// - Returns: the account; nil if there is no such person or third party.
  /// - Throws: `PostgresError`.
  public func set(
    isDisabled: Bool, _ number: AccountID, name: String, reason: String, by administrator: AccountID,
    at now: Microseconds
  ) async throws -> AccountID? {
    try await pool.withConnection { [areas] connection in
      try connection.inTransaction { connection in
        let found = try connection.query(
          """
          SELECT id, state = 'disabled', kind::text FROM account
          WHERE (id = $1 OR $2 <> '' AND (lower(username) = lower($2) OR lower(email) = lower($2)))
            AND kind IN ('person', 'third_party') AND state IN ('active', 'disabled')
          ORDER BY id LIMIT 1 FOR UPDATE
          """, [.int8(number), .text(name)])
        guard found.rowCount == 1 else { return nil }
        let (account, kind) = (try found.int64(0, 0), try found.string(0, 2))
        if try found.bool(0, 1) == isDisabled { return account }
        // Mails go to accounts that are active.
        if isDisabled { try Self.tell(account, kind, .accountDisabled, reason, connection) }
        _ = try connection.query(
          """
          UPDATE account SET state = CASE WHEN $2 THEN 'disabled' ELSE 'active' END, is_suspending = $2,
            disabled_at = CASE WHEN $2 THEN $3::timestamptz END, version = version + 1 WHERE id = $1
          """, [.int8(account), .bool(isDisabled), .timestamptz(microsecondsSinceUnixEpoch: now)])
        if isDisabled { try Self.endTokens(of: account, connection) }
        for statement in areas.flatMap(\.disabling) { _ = try connection.query(statement, [.int8(account)]) }
        if !isDisabled { try Self.tell(account, kind, .accountEnabled, reason, connection) }
        try NewDecision(
          isDisabled ? .accountDisabled : .accountEnabled, account: account, reason: reason, by: administrator, at: now
        ).add(connection)
        return account
      }
    }
  }

  private static func tell(
    _ account: AccountID, _ kind: String, _ what: Trackme_Notifications_V1_NotificationKind, _ reason: String,
    _ connection: Connection
  ) throws {
    _ = try connection.query(
      """
      SELECT add_notification(
        $1, \(what.sql)::smallint, facts => jsonb_build_object('kind', $2::text, 'reason', $3::text))
      """, [.int8(account), .text(kind), .text(reason)])
  }

  /// Ends the sessions, tokens and devices of an account, and what bridges may do for it, in the caller's transaction.
  static func endTokens(of account: AccountID, _ connection: Connection) throws {
    for statement in [
      "DELETE FROM session WHERE account = $1",
      "DELETE FROM access_token WHERE account = $1 OR person = $1",
      "UPDATE device SET revoked_at = coalesce(revoked_at, now()) WHERE person = $1",
      """
      WITH gone AS (DELETE FROM bridge_permission WHERE person = $1 RETURNING bridge)
      UPDATE account SET version = version + 1 WHERE id IN (SELECT bridge FROM gone)
      """,
    ] { _ = try connection.query(statement, [.int8(account)]) }
  }

  /// Accounts that were disabled a moment ago, or whose server died then.
  /// - Throws: `PostgresError`.
  func suspending() async throws -> [AccountID] {
    try await pool.withConnection { connection in
      let rows = try connection.repeatedQuery(
        "SELECT id FROM account WHERE is_suspending ORDER BY id LIMIT $1", [.int8(Int64(Self.round))])
      return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
    }
  }

  /// Puts down that all has ended that was on its way when an account was disabled, if that is long enough ago.
  /// - Throws: `PostgresError`.
  func settle(_ account: AccountID, at now: Microseconds) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        """
        UPDATE account SET is_suspending = false
        WHERE id = $1 AND disabled_at <= $2::timestamptz - $3 * interval '1 microsecond'
        """, [.int8(account), .timestamptz(microsecondsSinceUnixEpoch: now), .int8(Self.suspendsFor)])
    }
  }
}

extension StorageSystem {
  /// Ends what areas say ends with accounts that are disabled: also what was being made meanwhile, and after a crash.
  /// - Throws: `PostgresError`, `CancellationError`.
  func suspendDisabled(at now: Microseconds) async throws {
    for account in try await disabledAccounts.suspending() {
      try await suspend(account, at: now)
      try await disabledAccounts.settle(account, at: now)
    }
  }
}
