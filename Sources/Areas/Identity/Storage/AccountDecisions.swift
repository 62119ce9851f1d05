public import Domain
public import IdentityRules
public import Postgres

/// What an administrator decided about a code or an account.
public enum DecisionKind: Int16, Sendable, Hashable {
  case codeChanged = 1
  case codeWithdrawn = 2
  case accountDisabled = 3
  case accountEnabled = 4
}

/// A decision as it is kept.
public struct AccountDecisionRecord: Sendable, Equatable {
  public let id: Int64
  public let kind: DecisionKind
  public let decided: Microseconds
  public let decidedBy: AccountID
  public let code: Int64?
  public let account: AccountID?
  /// Empty once the account is erased.
  public let reason: String
  /// Who held the code, and who holds it since; nil if that was not changed.
  public let before: CodeHolder?
  public let after: CodeHolder?
}

/// A decision that is being made: it is put down in the transaction of what it changes.
struct NewDecision {
  let kind: DecisionKind
  let code: Int64?
  let account: AccountID?
  let reason: String
  let administrator: AccountID
  let time: Microseconds
  let before: CodeHolder?
  let after: CodeHolder?

  init(
    _ kind: DecisionKind, code: Int64? = nil, account: AccountID? = nil, reason: String, by administrator: AccountID,
    at time: Microseconds, before: CodeHolder? = nil, after: CodeHolder? = nil
  ) {
    self.kind = kind
    self.code = code
    self.account = account
    self.reason = reason
    self.administrator = administrator
    self.time = time
    self.before = before
    self.after = after
  }

  func add(_ connection: Connection) throws(PostgresError) {
    let holders: [Parameter] = [before, after].flatMap { holder in
      [
        holder.map { .text($0.name) } ?? .null(TypeOID.text),
        holder.map { .int2($0.kind.rawValue) } ?? .null(TypeOID.int2),
        holder.map { .text($0.checked) } ?? .null(TypeOID.text),
      ]
    }
    _ = try connection.query(
      """
      INSERT INTO account_decision (kind, decided_by, decided_at, code, account, reason, name_before, kind_before,
        checked_before, name_after, kind_after, checked_after)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      """,
      [
        .int2(kind.rawValue), .int8(administrator), .timestamptz(microsecondsSinceUnixEpoch: time),
        code.map { .int8($0) } ?? .null(TypeOID.int8), account.map { .int8($0) } ?? .null(TypeOID.int8), .text(reason),
      ] + holders)
  }
}

/// What administrators have decided about codes and accounts.
public struct AccountDecisions: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Decisions with smaller numbers than `before`, newest first.
  /// - Parameter account: that they are about; nil: all.
  /// - Throws: `PostgresError`.
  public func list(of account: AccountID?, before: Int64, limit: Int) async throws -> [AccountDecisionRecord] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT id, kind, decided_at, decided_by, code, account, reason, name_before, kind_before, checked_before,
          name_after, kind_after, checked_after
        FROM account_decision WHERE ($1::bigint IS NULL OR account = $1) AND id < $2 ORDER BY id DESC LIMIT $3
        """, [account.map { .int8($0) } ?? .null(TypeOID.int8), .int8(before), .int8(Int64(limit))])
      func number(_ row: Int, _ column: Int) throws -> Int64? {
        rows.isNull(row, column) ? nil : try rows.int64(row, column)
      }
      func holder(_ row: Int, _ column: Int) throws -> CodeHolder? {
        if rows.isNull(row, column) { return nil }
        let kind = HolderKind(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, column + 1)))
        return CodeHolder(
          name: try rows.string(row, column), kind: kind ?? .unknown, checked: try rows.string(row, column + 2))
      }
      return try (0..<rows.rowCount).compactMap { row in
        guard let kind = DecisionKind(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 1))) else { return nil }
        return AccountDecisionRecord(
          id: try rows.int64(row, 0), kind: kind, decided: try rows.timestamptz(row, 2),
          decidedBy: try rows.int64(row, 3), code: try number(row, 4), account: try number(row, 5),
          reason: try rows.string(row, 6), before: try holder(row, 7), after: try holder(row, 10))
      }
    }
  }
}
