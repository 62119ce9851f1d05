public import Domain
public import Postgres

/// What an area keeps in the database, which nothing else knows: its tables, and what becomes of them when somebody leaves.
public struct AreaTables: Sendable {
  /// The numbered changes of its schema. A number is given once over all areas; a released change is never edited: a change
  /// is a new number.
  public let migrations: [Migration]
  /// Functions of the database that follow from rules in Swift: statements that write them anew, at each start.
  public let functions: [String]
  /// What becomes of each column that can hold words, bytes or places of somebody who is erased, by "table.column".
  public let personal: [String: PersonalData]
  /// Tables from which an erasure takes rows that hold a person's number and nothing to read.
  public let numbered: [String]
  /// What ends with an account, before its readings are erased: entries of the log, mostly. Called again after a crash.
  /// - Throws: `PostgresError`, `CancellationError`.
  public let end: @Sendable (_ account: AccountID, _ storage: StorageSystem, _ now: Microseconds) async throws -> Void
  /// What ends with an account that an administrator has disabled: entries of the log, mostly. Called again after a moment, and
  /// after a crash.
  /// - Throws: `PostgresError`, `CancellationError`.
  public let suspend:
    @Sendable (_ account: AccountID, _ storage: StorageSystem, _ now: Microseconds) async throws -> Void
  /// Statements in the transaction in which the account $1 is disabled, or enabled again. The account is locked, and is already
  /// what it will be.
  public let disabling: [String]
  /// Statements in the transaction of the owner's word that the account $1 ends, of an area after those of the areas that it
  /// stands on. The account is locked; its erasure is put down already.
  public let leaving: [String]
  /// Whether nothing of an account that has ended can be on its way any more, beside its readings. Where that takes too
  /// long, it is ended as if its server were dead.
  /// - Throws: `PostgresError`, `CancellationError`.
  public let settle: @Sendable (_ account: AccountID, _ storage: StorageSystem, _ isOverdue: Bool) async throws -> Bool
  /// Statements that take the account $1 out of its tables, in one transaction with those of all areas: of an area before
  /// those of the areas that it stands on.
  public let erasure: [String]
  /// Queries for prefixes of the names under which others than the account $1 itself push for it: they are no more when it is
  /// erased.
  public let clients: [String]
  /// Statements about accounts that were erased after $1, from time to time: of what could not be erased with them.
  public let stragglers: [String]
  /// Reads what has to be at hand before anybody asks for it.
  /// - Throws: `PostgresError`.
  public let begin: @Sendable (_ storage: StorageSystem) async throws -> Void

  public init(
    migrations: [Migration], functions: [String] = [], personal: [String: PersonalData], numbered: [String] = [],
    end: @escaping @Sendable (AccountID, StorageSystem, Microseconds) async throws -> Void = { _, _, _ in },
    suspend: @escaping @Sendable (AccountID, StorageSystem, Microseconds) async throws -> Void = { _, _, _ in },
    disabling: [String] = [], leaving: [String] = [],
    settle: @escaping @Sendable (AccountID, StorageSystem, Bool) async throws -> Bool = { _, _, _ in true },
    erasure: [String] = [], clients: [String] = [], stragglers: [String] = [],
    begin: @escaping @Sendable (StorageSystem) async throws -> Void = { _ in }
  ) {
    self.migrations = migrations
    self.functions = functions
    self.personal = personal
    self.numbered = numbered
    self.end = end
    self.suspend = suspend
    self.disabling = disabling
    self.leaving = leaving
    self.settle = settle
    self.erasure = erasure
    self.clients = clients
    self.stragglers = stragglers
    self.begin = begin
  }
}

/// What becomes of a column when somebody is erased. A column that nobody names, and one that is not there, fails a test:
/// whoever adds one says who erases it.
public enum PersonalData: Sendable, Hashable {
  /// Nothing of an erased account is left in it, by a step of the erasure; other accounts' rows stay.
  case erased
  /// It stays, for a reason.
  case kept(String)
  /// It never tells who somebody is: one of a few words, a random number or its hash, or of the system's own.
  case impersonal
}

extension [AreaTables] {
  /// The changes of the schema, oldest first.
  public var migrations: [Migration] { flatMap(\.migrations).sorted { $0.number < $1.number } }

  /// By "table.column".
  var personal: [String: PersonalData] {
    reduce(into: [:]) { all, area in all.merge(area.personal) { _, _ in preconditionFailure("a column of two areas") } }
  }

  /// The tables of which an erasure takes rows or words, in their order: their space is to be used again.
  var erasedTables: [String] {
    Set(personal.filter { $0.value == .erased }.map { String($0.key.prefix { $0 != "." }) } + flatMap(\.numbered))
      .sorted()
  }
}
