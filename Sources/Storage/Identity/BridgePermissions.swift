public import Domain
internal import Postgres
internal import Synchronization

/// Whom bridges may push for, at hand for the bridges that push now.
///
/// A change that is made through this process holds at once; one that is made elsewhere, after the next `refresh()`.
public final class BridgePermissions: Sendable {
  private struct Known {
    var persons: Set<PersonID> = []
    /// The version of the bridge's permissions that `persons` shows; -1 before they have been read.
    var version: Int64 = -1
    /// The version of the last change that was made here: what was read before it is out of date.
    var lastChange: Int64 = -1
    var users = 0
    var idleSince = ContinuousClock.now
  }

  /// For how long the permissions of a bridge that does not push are kept.
  private static let idleTime: Duration = .seconds(60)

  private let known = Mutex<[AccountID: Known]>([:])
  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// Has a bridge's permissions at hand until `close`.
  /// - Throws: `PostgresError`; then there is nothing to close.
  public func open(_ bridge: AccountID) async throws {
    let isKnown = known.withLock { known in
      known[bridge, default: Known()].users += 1
      return known[bridge]?.version ?? -1 >= 0
    }
    if isKnown { return }
    do { try await read(bridge) } catch {
      close(bridge)
      throw error
    }
  }

  public func close(_ bridge: AccountID) {
    known.withLock { known in
      known[bridge]?.users -= 1
      known[bridge]?.idleSince = .now
    }
  }

  /// The persons who let a bridge push now.
  public func persons(of bridge: AccountID) -> Set<PersonID> { known.withLock { $0[bridge]?.persons ?? [] } }

  /// Takes up what was changed elsewhere. To be called every two seconds.
  /// - Throws: `PostgresError`.
  public func refresh() async throws {
    let versions = known.withLock { known in
      known = known.filter { $1.users > 0 || $1.idleSince > .now - Self.idleTime }
      return known.mapValues(\.version)
    }
    if versions.isEmpty { return }
    let bridges = Array(versions.keys)
    let changed = try await pool.withConnection { connection in
      let rows = try connection.query("SELECT id, version FROM account WHERE id = ANY($1)", [.int8Array(bridges)])
      return try (0..<rows.rowCount).map { (try rows.int64($0, 0), try rows.int64($0, 1)) }
        .filter { versions[$0] != $1 }
    }
    for (bridge, _) in changed { try await read(bridge) }
  }

  /// A change that was made here.
  func changed(_ bridge: AccountID, _ person: PersonID, isAllowed: Bool, version: Int64) async throws {
    let isInOrder = known.withLock { known in
      guard var entry = known[bridge] else { return true }
      guard version > entry.lastChange else { return false }
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
    if !isInOrder { try await read(bridge) }
  }

  private func read(_ bridge: AccountID) async throws {
    let (version, persons) = try await pool.withConnection { connection in
      // One statement, so that both are of one moment.
      let rows = try connection.query(
        """
        SELECT a.version, p.person FROM account a LEFT JOIN bridge_permission p ON p.bridge = a.id WHERE a.id = $1
        """, [.int8(bridge)])
      let version = rows.rowCount > 0 ? try rows.int64(0, 0) : 0
      return (
        version, Set(try (0..<rows.rowCount).filter { !rows.isNull($0, 1) }.map { try rows.int64($0, 1) })
      )
    }
    let isOutOfDate = known.withLock { known in
      guard let entry = known[bridge], version >= entry.version else { return false }
      guard version >= entry.lastChange else { return true }
      known[bridge]?.persons = persons
      known[bridge]?.version = version
      return false
    }
    // A change was committed here while this was on its way; the next reading sees it.
    if isOutOfDate { try await read(bridge) }
  }
}
