public import Domain
public import Identity
public import Log
public import Postgres

/// Somebody at a dispatcher's desk, as it is stored.
public struct DeskOperatorRecord: Sendable, Equatable {
  public let account: AccountID
  public let dispatcher: AccountID
  /// Empty of one who is revoked, as the address.
  public let username: String
  public let email: String
  public let name: String
  public let created: Microseconds
  public let isPasswordInitial: Bool
  /// When the account ended; nil: it has not.
  public let revoked: Microseconds?
  /// Of the dispatcher.
  public let priority: Int32
}

/// The people at the desks of dispatchers.
public struct DeskOperators: Sendable {
  /// The most people of one dispatcher who are not revoked.
  public static let maxPerDispatcher = 500

  /// Why nobody is made.
  public enum Refusal: Sendable, Error {
    case noDispatcher
    case tooMany
    case taken(StaffAccounts.Taken)
  }

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Makes an account, once for each request id of an administrator.
  ///
  /// - Parameter passwordHash: of the password that the administrator has chosen.
  /// - Throws: `Refusal`, `PostgresError`.
  public func add(
    dispatcher: AccountID, username: String, email: String, name: String, passwordHash: String,
    by administrator: AccountID, requestID: String
  ) async throws -> Issued<DeskOperatorRecord> {
    try await pool.withConnection { connection -> Issued<DeskOperatorRecord> in
      if let earlier = try Self.account(connection, administrator, requestID) { return .earlier(earlier) }
      do {
        return try connection.inTransaction { connection in
          // Its revocation waits for this, or this for it; and so do others who are added.
          let found = try connection.query(
            "SELECT 1 FROM account WHERE id = $1 AND kind = 'dispatcher' AND state = 'active' FOR NO KEY UPDATE",
            [.int8(dispatcher)])
          guard found.rowCount == 1 else { throw Refusal.noDispatcher }
          let count = try connection.query(
            """
            SELECT count(*) FROM desk_operator d JOIN account a ON a.id = d.account AND a.state = 'active'
            WHERE d.dispatcher = $1
            """, [.int8(dispatcher)]
          ).int64(0, 0)
          guard count < Self.maxPerDispatcher else { throw Refusal.tooMany }
          let account = try connection.query(
            """
            INSERT INTO account (kind, username, email, password_hash, display_name, password_is_initial)
            VALUES ('desk_operator', $1, $2, $3, $4, true) RETURNING id
            """, [.text(username), .text(email), .text(passwordHash), .text(name)]
          ).int64(0, 0)
          try connection.query(
            """
            INSERT INTO desk_operator (account, dispatcher, created_by, request_id)
            VALUES ($1, $2, $3, nullif($4, ''))
            """, [.int8(account), .int8(dispatcher), .int8(administrator), .text(requestID)])
          return .made(try Self.read(connection, "d.account = $1", [.int8(account)])[0])
        }
      } catch let error as PostgresError where error.sqlState == "23505" {
        // Somebody was faster: the same request, or another account of the name or address.
        if let earlier = try Self.account(connection, administrator, requestID) { return .earlier(earlier) }
        throw Refusal.taken(error.constraint == "account_email" ? .email : .username)
      }
    }
  }

  private static func account(
    _ connection: Connection, _ administrator: AccountID, _ requestID: String
  ) throws -> AccountID? {
    let row = try connection.query(
      "SELECT account FROM desk_operator WHERE created_by = $1 AND request_id = $2",
      [.int8(administrator), .text(requestID)])
    return row.rowCount == 0 ? nil : try row.int64(0, 0)
  }

  /// Those with smaller numbers than `before`, newest first.
  /// - Parameter dispatcher: whose; 0: everybody.
  /// - Throws: `PostgresError`.
  public func list(of dispatcher: AccountID, before: AccountID, limit: Int) async throws -> [DeskOperatorRecord] {
    try await pool.withConnection { connection in
      try Self.read(
        connection, "d.account < $1 AND ($2 = 0 OR d.dispatcher = $2)",
        [.int8(before), .int8(dispatcher), .int8(Int64(limit))], end: "ORDER BY d.account DESC LIMIT $3")
    }
  }

  /// Everybody who is not revoked.
  /// - Throws: `PostgresError`.
  public func active() async throws -> [DeskOperatorRecord] {
    try await pool.withConnection { try Self.read($0, "a.state = 'active'", []) }
  }

  /// Somebody who is not revoked; nil if there is nobody of the number.
  /// - Throws: `PostgresError`.
  public func find(_ account: AccountID) async throws -> DeskOperatorRecord? {
    try await pool.withConnection {
      try Self.read($0, "d.account = $1 AND a.state = 'active'", [.int8(account)]).first
    }
  }

  /// Ends an account with its sessions, and takes out of it what no record of a call needs. Ending it again changes
  /// nothing.
  /// - Returns: whether there is such an account.
  /// - Throws: `PostgresError`.
  public func end(_ account: AccountID) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let ended = try connection.query(
          "\(Self.ending) WHERE id = $1 AND kind = 'desk_operator' RETURNING 1", [.int8(account)])
        guard ended.rowCount == 1 else { return false }
        try connection.query("DELETE FROM session WHERE account = $1", [.int8(account)])
        return true
      }
    }
  }

  /// Ends a dispatcher with its token, and everybody at its desk as `end` does. Again changes nothing.
  /// - Returns: the accounts at its desk; nil if there is no such dispatcher.
  /// - Throws: `PostgresError`.
  public func end(dispatcher: AccountID) async throws -> [AccountID]? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        guard try StaffAccounts.end(.dispatcher, dispatcher, connection) else { return nil }
        let ended = try connection.query(
          "\(Self.ending) WHERE id IN (SELECT account FROM desk_operator WHERE dispatcher = $1) RETURNING id",
          [.int8(dispatcher)])
        let accounts = try (0..<ended.rowCount).map { try ended.int64($0, 0) }
        try connection.query("DELETE FROM session WHERE account = ANY ($1)", [.int8Array(accounts)])
        return accounts
      }
    }
  }

  /// The name stays: who has answered is part of the record of an emergency.
  private static let ending = """
    UPDATE account SET state = 'deactivated', version = version + 1, ended_at = coalesce(ended_at, now()),
      username = NULL, email = NULL, claimed_email = NULL, password_hash = NULL
    """

  private static func read(
    _ connection: Connection, _ condition: String, _ parameters: [Parameter], end: String = ""
  ) throws -> [DeskOperatorRecord] {
    let rows = try connection.query(
      """
      SELECT d.account, d.dispatcher, coalesce(a.username, ''), coalesce(a.email, ''), a.display_name, a.created_at,
        a.password_is_initial, CASE WHEN a.state <> 'active' THEN a.ended_at END, s.priority
      FROM desk_operator d JOIN account a ON a.id = d.account JOIN dispatcher s ON s.account = d.dispatcher
      WHERE \(condition) \(end)
      """, parameters)
    return try (0..<rows.rowCount).map { row in
      DeskOperatorRecord(
        account: try rows.int64(row, 0), dispatcher: try rows.int64(row, 1), username: try rows.string(row, 2),
        email: try rows.string(row, 3), name: try rows.string(row, 4), created: try rows.timestamptz(row, 5),
        isPasswordInitial: try rows.bool(row, 6), revoked: rows.isNull(row, 7) ? nil : try rows.timestamptz(row, 7),
        priority: try rows.int32(row, 8))
    }
  }
}

extension StorageSystem {
  /// The people at the desks of dispatchers.
  public var deskOperators: DeskOperators { DeskOperators(pool: pool) }
}
