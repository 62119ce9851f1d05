public import Domain
public import Postgres
internal import Synchronization

/// Names of sources and their numbers, at hand. A name gets its number when it is first used and keeps it.
///
/// A name takes some 180 bytes.
public final class SourceRegistry: Sendable {
  public static let maxNameBytes = 64
  /// The most names that one account's tokens may add.
  public static let maxNamesPerPerson = 1_000

  struct Names {
    var numbers: [String: SourceID] = ["": 0]
    var names: [SourceID: String] = [0: ""]
  }

  let known = Mutex(Names())
  let uses = KnownSourceUses()
  /// What is being registered now.
  private let registrations = Mutex<[SourceRegistration.Key: SourceRegistration]>([:])
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Reads every name.
  /// - Throws: `PostgresError`.
  public func load() async throws {
    let (names, common) = try await pool.withConnection { connection in
      var names: [(SourceID, String)] = []
      var common: Set<SourceID> = []
      try connection.streamRows("SELECT id, name, is_common FROM reading_source") {
        names.append((try $0.int32(0), try $0.string(1)))
        if try $0.bool(2) { common.insert(try $0.int32(0)) }
      }
      return (names, common)
    }
    remember(names)
    uses.add(common: common)
  }

  /// The numbers of names, `ReadingRules.invalidSource` for a name that is too long, or that is new when the caller
  /// has added as many as allowed.
  ///
  /// - Parameters:
  ///   - principal: who brings the names.
  ///   - patience: how long to wait for the database; nil for as long as it takes. New names are registered all the same,
  ///     and are at hand later.
  /// - Throws: `PostgresError` if a new name can't be registered, or not in time; `CancellationError`.
  public func numbers(
    of names: [String], from principal: Principal = .operator, within patience: Duration? = nil
  ) async throws -> [SourceID] {
    let fitting = names.filter { $0.utf8.count <= Self.maxNameBytes }
    let missing = known.withLock { known in fitting.filter { known.numbers[$0] == nil } }
    if !missing.isEmpty { try await register(Set(missing), from: principal).wait(patience) }
    return known.withLock { known in names.map { known.numbers[$0] ?? ReadingRules.invalidSource } }
  }

  /// The numbers of names if all of them are at hand.
  public func knownNumbers(of names: [String]) -> [SourceID]? {
    known.withLock { known in
      var numbers: [SourceID] = []
      numbers.reserveCapacity(names.count)
      for name in names {
        guard let number = known.numbers[name] ?? (name.utf8.count > Self.maxNameBytes ? -1 : nil) else { return nil }
        numbers.append(number)
      }
      return numbers
    }
  }

  /// The names of numbers.
  /// - Throws: `PostgresError` if a number is not at hand and can't be read.
  public func names(of numbers: Set<SourceID>) async throws -> [SourceID: String] {
    let missing = known.withLock { known in numbers.filter { known.names[$0] == nil } }
    if !missing.isEmpty {
      let wanted = Array(missing)
      try await learn { connection in
        try connection.query("SELECT id, name FROM reading_source WHERE id = ANY($1::integer[])", [.int4Array(wanted)])
      }
    }
    return known.withLock { known in
      Dictionary(uniqueKeysWithValues: numbers.map { ($0, known.names[$0] ?? "") })
    }
  }

  /// Begins to register names, unless that goes on already.
  private func register(_ names: Set<String>, from principal: Principal) -> SourceRegistration {
    let key = SourceRegistration.Key(account: principal.account, names: names)
    let (registration, isNew) = registrations.withLock { registrations in
      if let same = registrations[key] { return (same, false) }
      let registration = SourceRegistration()
      registrations[key] = registration
      return (registration, true)
    }
    guard isNew else { return registration }
    // Nobody's task: whoever waits may leave, and a database that hangs can't be made to stop.
    Task {
      let result: Swift.Result<Void, any Error>
      do { result = .success(try await register(Array(names), of: principal.account)) } catch {
        result = .failure(error)
      }
      registrations.withLock { $0[key] = nil }
      registration.end(result)
    }
    return registration
  }

  private func register(_ names: [String], of account: AccountID?) async throws {
    try await learn { connection in
      // Two servers may meet a name at once: the row is read by a statement that sees the other's commit.
      try connection.inTransaction { connection in
        // One account's names come one after the other, so that the limit holds.
        if let account {
          _ = try connection.query("SELECT pg_advisory_xact_lock(hashtextextended('source', $1))", [.int8(account)])
        }
        _ = try connection.query(
          """
          INSERT INTO reading_source (name, registered_by)
          SELECT name, $2 FROM unnest($1::text[]) WITH ORDINALITY AS n (name, place)
          WHERE $2 IS NULL OR place + (SELECT count(*) FROM reading_source WHERE registered_by = $2) <= $3
          ON CONFLICT (name) DO NOTHING
          """,
          [
            .textArray(names), account.map { .int8($0) } ?? .null(20), .int8(Int64(Self.maxNamesPerPerson)),
          ])
      }
      return try connection.query(
        "SELECT id, name FROM reading_source WHERE name = ANY($1::text[])", [.textArray(names)])
    }
  }

  private func learn(_ ask: @escaping @Sendable (Connection) throws -> Result) async throws {
    let rows = try await pool.withConnection { connection in
      let result = try ask(connection)
      return try (0..<result.rowCount).map { (try result.int32($0, 0), try result.string($0, 1)) }
    }
    remember(rows)
  }

  private func remember(_ names: [(SourceID, String)]) {
    known.withLock { known in
      for (number, name) in names {
        known.numbers[name] = number
        known.names[number] = name
      }
    }
  }
}

extension SourceRegistry {
  /// The names of the sources of readings that came in through this server.
  public func namesAtHand(of columns: ReadingColumns) -> [SourceID: String] { namesAtHand(of: columns.sources) }

  /// The names of numbers that are known without asking the database; those of others are empty.
  public func namesAtHand(of numbers: Set<SourceID>) -> [SourceID: String] {
    known.withLock { known in
      Dictionary(uniqueKeysWithValues: numbers.map { ($0, known.names[$0] ?? "") })
    }
  }
}
