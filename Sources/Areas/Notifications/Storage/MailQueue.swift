public import Domain
public import Postgres

/// A mail whose turn it is.
public struct QueuedMail: Sendable {
  public let id: Int64
  /// The same at each attempt.
  public let messageID: String
  /// Whom it is to, or about: an erasure of the account takes it too.
  public let account: AccountID
  public let address: String
  public let created: Microseconds
  /// This attempt's number, from 1.
  public let attempt: Int
  public let announcement: Announcement
  /// Whether it is still to be sent, as its stamp says; one without a stamp is.
  public let isWanted: Bool
}

/// What mails of a kind get at each attempt, in the transaction that takes them: a code, say, of which the database keeps
/// the hash.
public struct MailStamp: Sendable {
  /// As `Announcement.kind`.
  public let kind: Int16
  /// Returns facts for the text of this attempt, beside those of the mail; nil if it is not to be sent any more.
  let facts: @Sendable (_ connection: Connection, _ account: AccountID, _ address: String) throws -> [String: String]?

  public init(
    kind: Int16,
    facts:
      @escaping @Sendable (_ connection: Connection, _ account: AccountID, _ address: String) throws ->
      [String: String]?
  ) {
    self.kind = kind
    self.facts = facts
  }
}

/// How an attempt ended.
public enum MailOutcome: Sendable, Equatable {
  case sent
  /// It did not happen, and may be tried again after so many seconds.
  case retry(after: Int64)
  /// It did not happen, and trying again won't help.
  case failed
  /// Nobody knows: never tried again.
  case uncertain
}

/// Mails that wait, as the database keeps them. Any number of servers may take from it: each mail has one taker, and a
/// mail whose taker is lost is never given to another.
public struct MailQueue: Sendable {
  /// How long address and facts of a mail are kept after its end.
  static let addressLasts: Microseconds = 7 * 86_400 * 1_000_000
  /// How long the mail itself is, for its number and its end.
  static let mailLasts: Microseconds = 90 * 86_400 * 1_000_000

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Takes the mail that waits longest, and puts down that it is being sent before it is returned.
  /// - Returns: nil if none is due.
  /// - Throws: `PostgresError`, and what a stamp throws; then it waits as before.
  public func take(stamps: [MailStamp] = [], facts: [CurrentFact] = []) async throws -> QueuedMail? {
    try await pool.withConnection { connection in
      try connection.inTransaction { try Self.take(stamps, facts, $0) }
    }
  }

  private static func take(
    _ stamps: [MailStamp], _ current: [CurrentFact], _ connection: Connection
  ) throws -> QueuedMail? {
    let rows = try connection.query(
      """
      WITH due AS (
        SELECT id FROM email_queue WHERE state = 'queued' AND next_attempt_at <= now()
        ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
      ), n AS (
        UPDATE email_queue q SET state = 'sending', attempts = attempts + 1, changed_at = now()
        FROM due WHERE q.id = due.id RETURNING q.*
      )
      SELECT n.id, n.message_id::text, n.account, coalesce(n.address, ''), n.created_at, n.attempts,
        \(Announcement.columns)
      FROM n \(Announcement.joins(current))
      """, [])
    guard rows.rowCount > 0 else { return nil }
    let announcement = try Announcement(rows, 0, from: 6)
    let (account, address) = (try rows.int64(0, 2), try rows.string(0, 3))
    let stamp = stamps.first { $0.kind == announcement.kind }
    let facts: [String: String]? = if let stamp { try stamp.facts(connection, account, address) } else { [:] }
    return QueuedMail(
      id: try rows.int64(0, 0), messageID: try rows.string(0, 1), account: account, address: address,
      created: try rows.timestamptz(0, 4), attempt: Int(try rows.int32(0, 5)),
      announcement: announcement.with(facts ?? [:]), isWanted: facts != nil)
  }

  /// Puts down how the attempt of a mail ended that this server took.
  public func finish(_ id: Int64, _ outcome: MailOutcome) async throws {
    let (state, delay): (String, Int64) =
      switch outcome {
      case .sent: ("sent", 0)
      case .retry(let seconds): ("queued", seconds)
      case .failed: ("failed", 0)
      case .uncertain: ("uncertain", 0)
      }
    try await pool.withConnection { connection in
      // Who took it knows better than who gave its taker up.
      _ = try connection.query(
        """
        UPDATE email_queue SET state = $2, changed_at = now(), next_attempt_at = now() + $3 * interval '1 second'
        WHERE id = $1 AND state IN ('sending', 'uncertain')
        """, [.int8(id), .text(state), .int8(delay)])
    }
  }

  /// How many mails wait, or are being sent.
  /// - Throws: `PostgresError`, also when it takes longer than a second.
  func waitingCount() async throws -> Int {
    try await pool.withConnection(deadline: .seconds(1)) { connection in
      Int(
        try connection.query(
          """
          SELECT (SELECT count(*) FROM email_queue WHERE state = 'queued')
            + (SELECT count(*) FROM email_queue WHERE state = 'sending')
          """, []
        ).int64(0, 0))
    }
  }

  /// Gives up the mails that have been with their takers for so many seconds: these are lost.
  /// - Returns: how many there were.
  public func giveUp(after seconds: Int64) async throws -> Int {
    try await pool.withConnection { connection in
      try connection.query(
        """
        UPDATE email_queue SET state = 'uncertain', changed_at = now()
        WHERE state = 'sending' AND changed_at <= now() - $1 * interval '1 second'
        """, [.int8(seconds)]
      ).affectedRows
    }
  }

  /// Takes out the mails of an account that are not being sent.
  /// - Returns: whether none is left.
  public func drop(_ account: AccountID) async throws -> Bool {
    try await pool.withConnection { connection in
      _ = try connection.query(
        "DELETE FROM email_queue WHERE account = $1 AND state <> 'sending'", [.int8(account)])
      return try connection.query(
        "SELECT NOT EXISTS (SELECT FROM email_queue WHERE account = $1)", [.int8(account)]
      ).bool(0, 0)
    }
  }

  /// Forgets addresses and facts of mails that ended `addressLasts` ago, and the mails themselves after `mailLasts`.
  public func forget() async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        """
        UPDATE email_queue SET address = NULL, facts = '{}'
        WHERE state IN ('sent', 'uncertain', 'failed') AND changed_at <= now() - $1 * interval '1 microsecond'
          AND (address IS NOT NULL OR facts <> '{}')
        """, [.int8(Self.addressLasts)])
      _ = try connection.query(
        """
        DELETE FROM email_queue
        WHERE state IN ('sent', 'uncertain', 'failed') AND changed_at <= now() - $1 * interval '1 microsecond'
        """, [.int8(Self.mailLasts)])
    }
  }
}
