public import Domain
internal import Postgres
internal import Synchronization

/// Whom each bridge may push for, at hand: a bridge's readings are taken and judged without asking the database.
///
/// A change that is made through this process holds at once; one that is made elsewhere, after the next `refresh()`.
/// A permission takes some 50 bytes.
public final class BridgePermissions: Sendable {
  private struct Known {
    var persons: Set<PersonID> = []
    /// The version of the bridge's permissions that `persons` shows; -1 before they have been read.
    var version: Int64 = -1
    /// The version of the last change that was made here: what was read before it is out of date.
    var lastChange: Int64 = -1
  }

  private let known = Mutex<[AccountID: Known]>([:])
  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// The persons who let a bridge push now.
  public func persons(of bridge: AccountID) -> Set<PersonID> { known.withLock { $0[bridge]?.persons ?? [] } }

  /// Reads what has changed: at first everything. To be called before the first readings come, and twice a second.
  /// - Throws: `PostgresError`.
  public func refresh() async throws {
    let versions = try await pool.withConnection { connection in
      let rows = try connection.repeatedQuery("SELECT id, version FROM account WHERE kind = 'bridge'", [])
      return try (0..<rows.rowCount).map { (bridge: try rows.int64($0, 0), version: try rows.int64($0, 1)) }
    }
    let changed = known.withLock { known in
      versions.filter { known[$0.bridge]?.version != $0.version }.map(\.bridge)
    }
    try await read(changed)
  }

  /// A change that was made here.
  func changed(_ bridge: AccountID, _ person: PersonID, isAllowed: Bool, version: Int64) async throws {
    let isInOrder = known.withLock { known in
      guard var entry = known[bridge], version > entry.lastChange else { return false }
      entry.lastChange = version
      // What was read already includes the change.
      if version > entry.version {
        if isAllowed { entry.persons.insert(person) } else { entry.persons.remove(person) }
        // With a change in between that was made elsewhere, the next refresh reads everything.
        if version == entry.version + 1 { entry.version = version }
      }
      known[bridge] = entry
      return true
    }
    if !isInOrder { try await read([bridge]) }
  }

  private func read(_ bridges: [AccountID]) async throws {
    if bridges.isEmpty { return }
    let current = try await pool.withConnection { connection in
      // One statement, so that the versions and the persons are of one moment.
      var current: [AccountID: Known] = [:]
      try connection.streamRows(
        """
        SELECT a.id, a.version, p.person FROM account a LEFT JOIN bridge_permission p ON p.bridge = a.id
        WHERE a.id = ANY ($1)
        """, [.int8Array(bridges)]
      ) { row in
        let bridge = try row.int64(0)
        current[bridge, default: Known()].version = try row.int64(1)
        if !row.isNull(2) { current[bridge]?.persons.insert(try row.int64(2)) }
      }
      return current
    }
    let outOfDate = known.withLock { known in
      current.compactMap { bridge, read -> AccountID? in
        var entry = known[bridge] ?? Known()
        guard read.version >= entry.version else { return nil }
        guard read.version >= entry.lastChange else { return bridge }
        (entry.persons, entry.version) = (read.persons, read.version)
        known[bridge] = entry
        return nil
      }
    }
    // A change was committed here while this was on its way; the next reading sees it.
    try await read(outOfDate)
  }
}
