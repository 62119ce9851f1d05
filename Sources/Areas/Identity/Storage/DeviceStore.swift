internal import Log
internal import WireCodec
public import Domain
public import Postgres

/// A device that can push for its person.
public struct DeviceRecord: Sendable, Hashable {
  public let device: DeviceID
  public let name: String
  public let created: Microseconds
  /// nil if its token does not end.
  public let expires: Microseconds?
}

/// Devices of persons.
public struct DeviceStore: Sendable {
  /// The most devices that a person has at once.
  public static let maxPerPerson = 100
  /// How long a device is kept after it has ended.
  static let endedLasts: Microseconds = 30 * 86_400 * 1_000_000

  /// What came of adding a device.
  public enum Addition: Sendable, Hashable {
    case added(DeviceRecord)
    /// The request was made before, and this device came of it.
    case repeated(DeviceID)
    /// The person has as many as allowed.
    case tooMany
    /// There is no such active account of a person.
    case noAccount
  }

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Adds a device with its token, and puts a notification into the person's inbox.
  /// - Parameters:
  ///   - requestID: of the client's choice; empty for none.
  ///   - lifetimeDays: of its token; 0 means without end.
  ///   - hash: SHA-256 of its token, 32 bytes.
  /// - Throws: `PostgresError`.
  public func add(
    name: String, requestID: String, lifetimeDays: Int32, tokenHash hash: [UInt8], of person: PersonID
  ) async throws -> Addition {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // The account's row is what additions of one person wait for.
        let account = try connection.query(
          "SELECT 1 FROM account WHERE id = $1 AND kind = 'person' AND state = 'active' FOR NO KEY UPDATE",
          [.int8(person)])
        guard account.rowCount == 1 else { return .noAccount }
        let earlier = try connection.query(
          "SELECT id FROM device WHERE person = $1 AND request_id = nullif($2, '')",
          [.int8(person), .text(requestID)])
        if earlier.rowCount == 1 { return .repeated(try earlier.int64(0, 0)) }
        let added = try connection.query(
          """
          INSERT INTO device (person, name, request_id, expires_at)
          SELECT $1, $2, nullif($3, ''), CASE WHEN $4 > 0 THEN now() + make_interval(days => $4) END
          WHERE (SELECT count(*) FROM device WHERE person = $1 AND \(Self.isActive)) < $5
          RETURNING id, name, created_at, expires_at
          """,
          [.int8(person), .text(name), .text(requestID), .int4(lifetimeDays), .int8(Int64(Self.maxPerPerson))])
        guard added.rowCount == 1 else { return .tooMany }
        let record = try Self.record(added, 0)
        _ = try connection.query(
          """
          INSERT INTO access_token (token_sha256, kind, account, device, expires_at)
          SELECT $1, 'device', $2, id, expires_at FROM device WHERE id = $3
          """, [.bytea(hash), .int8(person), .int8(record.device)])
        _ = try connection.query(
          "SELECT add_notification($1, \(Trackme_Notifications_V1_NotificationKind.deviceAdded.sql)::smallint, device => $2, facts => jsonb_build_object('name', $3::text))",
          [.int8(person), .int8(record.device), .text(name)])
        return .added(record)
      }
    }
  }

  /// The devices of a person, newest first.
  /// - Parameter before: only devices with smaller numbers.
  /// - Throws: `PostgresError`.
  public func list(of person: PersonID, before: DeviceID, limit: Int) async throws -> [DeviceRecord] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT id, name, created_at, expires_at FROM device
        WHERE person = $1 AND id < $2 AND \(Self.isActive) ORDER BY id DESC LIMIT $3
        """, [.int8(person), .int8(before), .int8(Int64(limit))])
      return try (0..<rows.rowCount).map { try Self.record(rows, $0) }
    }
  }

  /// Ends a device and its token. Once more changes nothing.
  /// - Returns: false if the person has no such device.
  /// - Throws: `PostgresError`.
  public func revoke(_ device: DeviceID, of person: PersonID) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let revoked = try connection.query(
          """
          UPDATE device SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 AND person = $2 RETURNING 1
          """, [.int8(device), .int8(person)])
        _ = try connection.query(
          "DELETE FROM access_token WHERE device = $1 AND account = $2", [.int8(device), .int8(person)])
        return revoked.rowCount == 1
      }
    }
  }

  private static let isActive = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())"

  private static func record(_ rows: Result, _ row: Int) throws -> DeviceRecord {
    DeviceRecord(
      device: try rows.int64(row, 0), name: try rows.string(row, 1), created: try rows.timestamptz(row, 2),
      expires: rows.isNull(row, 3) ? nil : try rows.timestamptz(row, 3))
  }
}
