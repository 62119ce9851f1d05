public import Domain
public import Postgres
public import SosRules

/// Whether calls are meant, as administrators have set it.
public struct DispatchStatusRecords: Sendable {
  /// A setting and who made it.
  public struct Record: Sendable {
    public let status: DispatchStatus
    public let reason: String
    public let changedBy: AccountID
    public let changed: Microseconds
  }

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// The setting that holds; nil if none was ever made: exercise.
  /// - Throws: `PostgresError`.
  public func current() async throws -> Record? {
    try await pool.withConnection { try Self.current($0) }
  }

  /// The same, in a transaction of the caller or in none.
  public static func current(_ connection: Connection) throws -> Record? {
    let row = try connection.repeatedQuery(
      "SELECT status::integer, reason, changed_by, changed_at FROM dispatch_status ORDER BY id DESC LIMIT 1", [])
    guard row.rowCount == 1 else { return nil }
    return Record(
      status: DispatchStatus(rawValue: try row.int32(0, 0)) ?? .exercise, reason: try row.string(0, 1),
      changedBy: try row.int64(0, 2), changed: try row.timestamptz(0, 3))
  }

  /// Makes a setting.
  /// - Throws: `PostgresError`.
  public func set(_ status: DispatchStatus, reason: String, by administrator: AccountID) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        "INSERT INTO dispatch_status (status, reason, changed_by) VALUES ($1, $2, $3)",
        [.int2(Int16(status.rawValue)), .text(reason), .int8(administrator)])
    }
  }
}
