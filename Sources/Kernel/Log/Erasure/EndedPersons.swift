public import Domain
internal import Postgres
internal import Synchronization

/// Persons whose accounts have ended: nobody may push their readings any more.
public final class EndedPersons: Sendable {
  private let pool: Pool
  private let persons = Mutex<Set<PersonID>>([])

  init(pool: Pool) { self.pool = pool }

  /// Those of the persons of some readings.
  public func among(_ columns: borrowing ReadingColumns) -> Set<PersonID> {
    // A copy of the set shares its storage, so that the lock is held for a moment only.
    let all = persons.withLock { $0 }
    if all.isEmpty { return [] }
    var found: Set<PersonID> = []
    var last: PersonID?
    columns.forEachKey { _, person, _ in
      guard person != last else { return }
      last = person
      if all.contains(person) { found.insert(person) }
    }
    return found
  }

  package func insert(_ person: PersonID) { persons.withLock { _ = $0.insert(person) } }

  /// Takes up who has ended elsewhere. To be called before the first readings come, and every second or so.
  /// - Throws: `PostgresError`.
  public func refresh() async throws {
    let found = try await pool.withConnection { connection in
      let rows = try connection.repeatedQuery("SELECT account FROM erasure", [])
      return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
    }
    persons.withLock { $0.formUnion(found) }
  }
}
