public import Domain
internal import Log
internal import Postgres

/// How far an erasure is.
public struct ErasureRecord: Sendable, Equatable {
  public let requested: Microseconds
  /// When everything is erased at the latest.
  public let due: Microseconds
  /// Nil while not everything is.
  public let erased: Microseconds?
  public let erasedReadings: Int64
  /// Names of the third parties that readings had been delivered to.
  public let recipients: [String]
}

/// Accounts that end at their owner's word.
public struct ErasureStore: Sendable {
  /// What is promised: everything is erased after this time at the latest.
  public static let term: Microseconds = 48 * 3_600 * 1_000_000

  /// What came of the owner's word.
  public enum Outcome: Sendable, Equatable {
    case deactivated(ErasureRecord)
    /// The account has ended, or has another password by now.
    case stale
    /// The account is the last active one of an administrator.
    case lastAdministrator
  }

  private let pool: Pool
  private let ended: EndedPersons
  private let areas: [AreaTables]

  init(_ storage: StorageSystem) {
    pool = storage.pool
    ended = storage.ended
    areas = storage.areas
  }

  /// Ends an account with its sessions, devices and bridges. What ends with it beside that is left to `ErasureStep.end`.
  ///
  /// - Parameters:
  ///   - hash: what the owner's password was checked against.
  ///   - receipt: SHA-256 of the receipt's id, 32 bytes.
  /// - Throws: `PostgresError`.
  public func deactivate(
    _ account: AccountID, passwordHash hash: String, receipt: [UInt8], at now: Microseconds
  ) async throws -> Outcome {
    let outcome = try await pool.withConnection { [areas] connection in
      try connection.inTransaction { try Self.deactivate(account, hash, receipt, now, areas, $0) }
    }
    if case .deactivated = outcome { ended.insert(account) }
    return outcome
  }

  private static func deactivate(
    _ account: AccountID, _ hash: String, _ receipt: [UInt8], _ now: Microseconds, _ areas: [AreaTables],
    _ connection: Connection
  ) throws -> Outcome {
    let kind = try connection.query("SELECT kind FROM account WHERE id = $1", [.int8(account)])
    guard kind.rowCount == 1 else { return .stale }
    if try kind.string(0, 0) == AccountKind.administrator.rawValue {
      // Two that end at once wait for each other here.
      let administrators = try connection.query(
        "SELECT id FROM account WHERE kind = 'administrator' AND state = 'active' ORDER BY id FOR UPDATE", [])
      if administrators.rowCount <= 1 { return .lastAdministrator }
    }
    let ended = try connection.query(
      """
      UPDATE account SET state = 'deactivated', ended_at = $3, version = version + 1
      WHERE id = $1 AND state IN ('active', 'disabled') AND password_hash = $2 RETURNING 1
      """, [.int8(account), .text(hash), .timestamptz(microsecondsSinceUnixEpoch: now)])
    guard ended.rowCount == 1 else { return .stale }
    try DisabledAccounts.endTokens(of: account, connection)
    _ = try connection.query(
      "INSERT INTO erasure (account, receipt_sha256, requested_at, due_at) VALUES ($1, $2, $3, $4)",
      [
        .int8(account), .bytea(receipt), .timestamptz(microsecondsSinceUnixEpoch: now),
        .timestamptz(microsecondsSinceUnixEpoch: now + term),
      ])
    for statement in areas.flatMap(\.leaving) { _ = try connection.query(statement, [.int8(account)]) }
    return .deactivated(
      try record(connection.query("SELECT \(columns) FROM erasure WHERE account = $1", [.int8(account)])))
  }

  /// How far an erasure is; nil if there is no such receipt.
  /// - Parameter receipt: SHA-256 of the receipt's id, 32 bytes.
  /// - Throws: `PostgresError`.
  public func find(receipt: [UInt8]) async throws -> ErasureRecord? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT \(Self.columns) FROM erasure WHERE receipt_sha256 = $1", [.bytea(receipt)])
      return rows.rowCount == 1 ? try Self.record(rows) : nil
    }
  }

  private static let columns = "requested_at, due_at, erased_at, erased_readings, recipients"

  private static func record(_ rows: Result) throws -> ErasureRecord {
    ErasureRecord(
      requested: try rows.timestamptz(0, 0), due: try rows.timestamptz(0, 1),
      erased: rows.isNull(0, 2) ? nil : try rows.timestamptz(0, 2), erasedReadings: try rows.int64(0, 3),
      recipients: try rows.stringArray(0, 4))
  }
}
