public import Domain
internal import Postgres

/// What an account is told, in numbers and names; the words are made of it when somebody reads it.
public struct Announcement: Sendable, Equatable {
  /// As `trackme.notifications.v1.NotificationKind`.
  public let kind: Int16
  public let accessRequest: AccessRequestID?
  public let device: DeviceID?
  /// What the cause put down, and current facts, by name.
  public let facts: [String: String]

  public init(
    kind: Int16, accessRequest: AccessRequestID? = nil, device: DeviceID? = nil, facts: [String: String] = [:]
  ) {
    self.kind = kind
    self.accessRequest = accessRequest
    self.device = device
    self.facts = facts
  }

  /// The same with more facts; those that it has already stay.
  func with(_ more: [String: String]) -> Announcement {
    if more.isEmpty { return self }
    return Announcement(
      kind: kind, accessRequest: accessRequest, device: device, facts: facts.merging(more) { own, _ in own })
  }

  /// The columns that `read` expects, of a table `n` with the columns of a notification.
  static let columns = """
    n.kind::integer, n.access_request, n.device,
    ARRAY(SELECT key FROM jsonb_each_text(f.facts) ORDER BY key),
    ARRAY(SELECT coalesce(value, '') FROM jsonb_each_text(f.facts) ORDER BY key)
    """

  /// What those columns need beside `n`.
  static func joins(_ facts: [CurrentFact]) -> String {
    let current = facts.map { "'\($0.name)', \($0.sql)" }.joined(separator: ", ")
    return """
      CROSS JOIN LATERAL (SELECT CASE jsonb_typeof(n.facts) WHEN 'object' THEN n.facts ELSE '{}' END AS facts) s
      CROSS JOIN LATERAL (SELECT s.facts || jsonb_strip_nulls(jsonb_build_object(\(current))) AS facts) f
      """
  }

  init(_ rows: Result, _ row: Int, from column: Int) throws(PostgresError) {
    kind = Int16(truncatingIfNeeded: try rows.int32(row, column))
    accessRequest = rows.isNull(row, column + 1) ? nil : try rows.int64(row, column + 1)
    device = rows.isNull(row, column + 2) ? nil : try rows.int64(row, column + 2)
    facts = Dictionary(
      zip(try rows.stringArray(row, column + 3), try rows.stringArray(row, column + 4)),
      uniquingKeysWith: { first, _ in first })
  }
}

/// A fact of announcements that may change until somebody reads them, a name mostly: it is looked up then.
public struct CurrentFact: Sendable {
  /// In `Announcement.facts`: goes before what the cause put down under this name.
  public let name: String
  /// An SQL expression over `n`, with the columns of a notification, and `s.facts`, which the cause put down; NULL where
  /// there is no such fact.
  public let sql: String

  public init(_ name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}
