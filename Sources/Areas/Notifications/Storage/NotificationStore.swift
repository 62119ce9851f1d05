public import Domain
public import Log
public import Postgres

/// The number by which a stream of notifications resumes: numbers become visible in order, whatever the order in which
/// the causes were committed.
public typealias NotificationNumber = Int64

/// An entry of an inbox.
public struct InboxEntry: Sendable, Equatable {
  public let id: Int64
  /// 0 while it has none.
  public let number: NotificationNumber
  public let created: Microseconds
  public let isRead: Bool
  public let announcement: Announcement
}

/// Inboxes, as the database keeps them: the newest `entriesMax` entries of each account.
public struct NotificationStore: Sendable {
  /// Entries of an inbox; the oldest make room for new ones.
  static let entriesMax: Int32 = 1_000

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Entries of an account, newest first.
  /// - Parameters:
  ///   - before: entries with smaller ids are wanted.
  ///   - facts: that are looked up now.
  public func list(
    of account: AccountID, unreadOnly: Bool, before: Int64, limit: Int, facts: [CurrentFact] = []
  ) async throws -> (entries: [InboxEntry], unread: Int64) {
    try await pool.withConnection { connection in
      let entries = try Self.read(
        connection, facts,
        "WHERE n.account = $1 AND n.id < $2 AND NOT ($3 AND n.read_at IS NOT NULL) ORDER BY n.id DESC LIMIT $4",
        [.int8(account), .int8(before), .bool(unreadOnly), .int8(Int64(limit))])
      let unread = try connection.query(
        "SELECT count(*) FROM notification WHERE account = $1 AND read_at IS NULL", [.int8(account)])
      return (entries, try unread.int64(0, 0))
    }
  }

  /// Numbered entries of an account after a number, oldest first.
  public func entries(
    of account: AccountID, after number: NotificationNumber, limit: Int, facts: [CurrentFact] = []
  ) async throws -> [InboxEntry] {
    try await pool.withConnection { connection in
      try Self.read(
        connection, facts, "WHERE n.account = $1 AND n.number > $2 ORDER BY n.number LIMIT $3",
        [.int8(account), .int8(number), .int8(Int64(limit))])
    }
  }

  /// Marks entries of an account as read.
  /// - Returns: how many were not.
  public func markRead(_ ids: [Int64], of account: AccountID) async throws -> Int {
    try await pool.withConnection { connection in
      try connection.query(
        "UPDATE notification SET read_at = now() WHERE account = $1 AND id = ANY ($2::bigint[]) AND read_at IS NULL",
        [.int8(account), .int8Array(ids)]
      ).affectedRows
    }
  }

  /// Puts down which kinds go by mail as well.
  /// - Throws: `PostgresError`.
  func write(_ kinds: [(kind: Int16, isMailed: Bool)]) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        """
        INSERT INTO notice_kind (kind, is_mailed)
        SELECT kind, kind = ANY ($2) FROM unnest($1::smallint[]) AS kind
        ON CONFLICT (kind) DO UPDATE SET is_mailed = excluded.is_mailed
        WHERE notice_kind.is_mailed <> excluded.is_mailed
        """, [.int2Array(kinds.map(\.kind)), .int2Array(kinds.filter(\.isMailed).map(\.kind))])
    }
  }

  /// Numbers what has been committed.
  /// - Returns: the last number that was ever given.
  public func head() async throws -> NotificationNumber {
    try await pool.withConnection { try Self.number($0) }
  }

  /// Numbers what has been committed, and looks whom it concerns.
  ///
  /// - Parameter number: what was seen before; nil for the first look, which names nobody.
  /// - Returns: the last number, and the accounts with entries after `number`.
  public func news(
    after number: NotificationNumber?
  ) async throws -> (head: NotificationNumber, accounts: [AccountID]) {
    try await pool.withConnection { connection in
      let head = try Self.number(connection)
      guard let number, number < head else { return (head, []) }
      let rows = try connection.query(
        "SELECT DISTINCT account FROM notification WHERE number > $1 AND number <= $2", [.int8(number), .int8(head)])
      return (head, try (0..<rows.rowCount).map { try rows.int64($0, 0) })
    }
  }

  private static func number(_ connection: Connection) throws -> NotificationNumber {
    try connection.repeatedQuery("SELECT number_notifications($1)", [.int4(entriesMax)]).int64(0, 0)
  }

  private static func read(
    _ connection: Connection, _ facts: [CurrentFact], _ condition: String, _ parameters: [Parameter]
  ) throws -> [InboxEntry] {
    let rows = try connection.query(
      """
      SELECT n.id, coalesce(n.number, 0), n.created_at, n.read_at IS NOT NULL, \(Announcement.columns)
      FROM notification n \(Announcement.joins(facts)) \(condition)
      """, parameters)
    return try (0..<rows.rowCount).map { row in
      InboxEntry(
        id: try rows.int64(row, 0), number: try rows.int64(row, 1), created: try rows.timestamptz(row, 2),
        isRead: try rows.bool(row, 3), announcement: try Announcement(rows, row, from: 4))
    }
  }
}

extension StorageSystem {
  /// Inboxes.
  public var notifications: NotificationStore { NotificationStore(pool: pool) }
  /// Mails that wait.
  public var mail: MailQueue { MailQueue(pool: pool) }
}
