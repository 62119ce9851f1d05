/// One numbered step of the schema.
public struct Migration: Sendable {
  /// Steps are applied in the order of their numbers; a number is never reused.
  public let number: Int
  /// For people: it is in the table `schema_migration` and in errors.
  public let name: String
  /// One or more statements, without BEGIN and COMMIT.
  public let sql: String

  public init(number: Int, name: String, sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
  }
}

/// Brings a database's schema to the state a program expects.
///
/// Each step runs in a transaction of its own, which also records it in the table `schema_migration`; an advisory lock
/// makes programs that start at the same time take turns.
public struct Migrations: Sendable {
  private let steps: [Migration]
  private let functions: [String]

  /// Key of the advisory lock: "trackme" in ASCII.
  private static let lockKey: Int64 = 0x0074_7261_636b_6d65

  private static let createTable = """
    CREATE TABLE IF NOT EXISTS schema_migration (
      number integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )
    """

  /// - Parameters:
  ///   - steps: in any order.
  ///   - functions: statements that write functions anew whenever the steps are applied: of those that follow from the
  ///     program, and must not be of another version.
  /// - Throws: `PostgresError.Kind.migration` when two steps have the same number.
  public init(_ steps: [Migration], functions: [String] = []) throws(PostgresError) {
    self.functions = functions
    let sorted = steps.sorted { $0.number < $1.number }
    for (earlier, later) in zip(sorted, sorted.dropFirst()) where earlier.number == later.number {
      throw PostgresError(.migration, "two migrations have the number \(later.number): \(earlier.name), \(later.name)")
    }
    self.steps = sorted
  }

  /// Applies the steps that the database lacks.
  /// - Returns: the numbers of the steps applied now.
  /// - Throws: `PostgresError.Kind.migration`, having changed nothing, when the database was made by a newer program,
  ///   when an applied step has another text now, or when a step is missing between applied ones; a failing step's own
  ///   error, with the earlier steps applied and that one undone.
  @discardableResult
  public func apply(_ connection: Connection) throws -> [Int] {
    _ = try connection.query("SELECT pg_advisory_lock($1)", [.int8(Self.lockKey)])
    // A lost connection releases the lock by itself.
    defer { _ = try? connection.query("SELECT pg_advisory_unlock($1)", [.int8(Self.lockKey)]) }
    try connection.execute(Self.createTable)
    let pending = try pendingSteps(connection)
    for (step, checksum) in pending { try apply(step, checksum: checksum, connection) }
    try connection.inTransaction { connection in
      for function in functions { try connection.execute(function) }
    }
    return pending.map(\.step.number)
  }

  private func pendingSteps(_ connection: Connection) throws -> [(step: Migration, checksum: String)] {
    let checksums = try self.checksums(connection)
    let applied = try connection.query("SELECT number, name, checksum FROM schema_migration ORDER BY number")
    var known: [Int: String] = [:]
    for (step, checksum) in zip(steps, checksums) { known[step.number] = checksum }
    var appliedNumbers: Set<Int> = []
    for row in 0..<applied.rowCount {
      let number = Int(try applied.int64(row, 0))
      let name = try applied.string(row, 1)
      guard let checksum = known[number] else {
        throw PostgresError(
          .migration,
          "the database has migration \(number) (\(name)), which this program does not know: "
            + "it was made by a newer program")
      }
      guard try applied.string(row, 2) == checksum else {
        throw PostgresError(
          .migration,
          "migration \(number) (\(name)) was changed after it was applied; "
            + "add a new migration instead")
      }
      appliedNumbers.insert(number)
    }
    let pending = zip(steps, checksums).filter { !appliedNumbers.contains($0.0.number) }
    if let first = pending.first, let last = appliedNumbers.max(), first.0.number < last {
      throw PostgresError(
        .migration, "migration \(first.0.number) (\(first.0.name)) comes before \(last), which is already applied")
    }
    return pending.map { (step: $0.0, checksum: $0.1) }
  }

  /// SHA-256 of each step's text, computed by the server, which has the function at hand.
  private func checksums(_ connection: Connection) throws -> [String] {
    let results = try connection.pipeline { pipeline in
      for step in steps {
        try pipeline.append("SELECT encode(sha256($1), 'hex')", [.bytea(Array(step.sql.utf8))])
      }
    }
    return try results.map { try $0.string(0, 0) }
  }

  private func apply(_ step: Migration, checksum: String, _ connection: Connection) throws {
    do {
      try connection.inTransaction { connection in
        try connection.execute(step.sql)
        guard connection.transactionStatus == .inTransaction else {
          throw PostgresError(.migration, "it ends the transaction it runs in")
        }
        try connection.query(
          "INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)",
          [.int4(Int32(step.number)), .text(step.name), .text(checksum)])
      }
    } catch let error as PostgresError {
      throw PostgresError(
        error.kind, "migration \(step.number) (\(step.name)): \(error.message)", sqlState: error.sqlState,
        constraint: error.constraint, isConnectionLost: error.isConnectionLost)
    }
  }
}
