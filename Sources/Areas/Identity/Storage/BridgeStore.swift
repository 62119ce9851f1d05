public import Domain
public import Postgres

/// A bridge that may push for a person.
public struct BridgeRecord: Sendable, Hashable {
  public let bridge: AccountID
  public let name: String
  /// Since when.
  public let allowed: Microseconds
}

/// Which bridges may push for which persons.
public struct BridgeStore: Sendable {
  /// The most bridges that a person lets push at once.
  public static let maxPerPerson = 100

  /// What came of letting a bridge push.
  public enum Permission: Sendable, Hashable {
    /// It may push; `version` counts changes of the bridge's permissions, and is nil if nothing was changed.
    case allowed(BridgeRecord, version: Int64?)
    case noSuchBridge
    case tooMany
    /// There is no such active account of a person.
    case noAccount
  }

  let pool: Pool
  /// Who may push for whom, at hand.
  public let permissions: BridgePermissions

  /// - Parameter permissions: of the same database; nil: its own.
  public init(pool: Pool, permissions: BridgePermissions? = nil) {
    self.pool = pool
    self.permissions = permissions ?? BridgePermissions(pool: pool)
  }

  /// Lets a bridge push for a person, from now on.
  /// - Throws: `PostgresError`.
  public func allow(_ bridge: AccountID, for person: PersonID) async throws -> Permission {
    let permission = try await pool.withConnection { connection in
      try connection.inTransaction { try Self.allow(bridge, for: person, $0) }
    }
    if case .allowed(_, version: let version?) = permission {
      try await permissions.changed(bridge, person, isAllowed: true, version: version)
    }
    return permission
  }

  private static func allow(
    _ bridge: AccountID, for person: PersonID, _ connection: Connection
  ) throws -> Permission {
    // Persons before bridges, so that no two changes wait for each other.
    let account = try connection.query(
      "SELECT 1 FROM account WHERE id = $1 AND kind = 'person' AND state = 'active' FOR NO KEY UPDATE",
      [.int8(person)])
    guard account.rowCount == 1 else { return .noAccount }
    let earlier = try Self.list(of: person, connection).first { $0.bridge == bridge }
    if let earlier { return .allowed(earlier, version: nil) }
    let count = try connection.query(
      "SELECT count(*) FROM bridge_permission WHERE person = $1", [.int8(person)]
    ).int64(0, 0)
    let version = try connection.query(
      """
      UPDATE account SET version = version + 1 WHERE id = $1 AND kind = 'bridge' AND state = 'active' AND $2
      RETURNING version
      """, [.int8(bridge), .bool(count < maxPerPerson)])
    guard version.rowCount == 1 else { return count < maxPerPerson ? .noSuchBridge : .tooMany }
    _ = try connection.query(
      "INSERT INTO bridge_permission (person, bridge) VALUES ($1, $2)", [.int8(person), .int8(bridge)])
    guard let record = try Self.list(of: person, connection).first(where: { $0.bridge == bridge }) else {
      return .noSuchBridge
    }
    return .allowed(record, version: try version.int64(0, 0))
  }

  /// The bridges that may push for a person, in the order in which they were allowed.
  /// - Throws: `PostgresError`.
  public func list(of person: PersonID) async throws -> [BridgeRecord] {
    try await pool.withConnection { connection in try Self.list(of: person, connection) }
  }

  private static func list(of person: PersonID, _ connection: Connection) throws -> [BridgeRecord] {
    let rows = try connection.query(
      """
      SELECT a.id, a.display_name, p.allowed_at FROM bridge_permission p JOIN account a ON a.id = p.bridge
      WHERE p.person = $1 AND a.state = 'active' ORDER BY p.allowed_at, a.id
      """, [.int8(person)])
    return try (0..<rows.rowCount).map { row in
      BridgeRecord(
        bridge: try rows.int64(row, 0), name: try rows.string(row, 1), allowed: try rows.timestamptz(row, 2))
    }
  }

  /// Ends a bridge's right to push for a person. Once more changes nothing.
  /// - Throws: `PostgresError`.
  public func disallow(_ bridge: AccountID, for person: PersonID) async throws {
    let version = try await pool.withConnection { connection in
      try connection.inTransaction { connection -> Int64? in
        let removed = try connection.query(
          "DELETE FROM bridge_permission WHERE person = $1 AND bridge = $2 RETURNING 1",
          [.int8(person), .int8(bridge)])
        guard removed.rowCount == 1 else { return nil }
        return try connection.query(
          "UPDATE account SET version = version + 1 WHERE id = $1 RETURNING version", [.int8(bridge)]
        ).int64(0, 0)
      }
    }
    if let version { try await permissions.changed(bridge, person, isAllowed: false, version: version) }
  }
}
