package import Domain
package import Log
internal import Postgres

/// What persons share anonymously.
package struct AnonymousSharingStore: Sendable {
  /// The most changes of a person that choose something, within `changesTime`; withdrawing is always allowed.
  package static let changesMax = 20
  /// 24 hours.
  package static let changesTime: Microseconds = 86_400_000_000

  private let pool: Pool
  private let writer: LogWriter

  init(pool: Pool, writer: LogWriter) {
    self.pool = pool
    self.writer = writer
  }

  /// What a person shares; nil without an account.
  /// - Throws: `PostgresError`.
  package func sharing(of person: PersonID) async throws -> AnonymousSharing? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT coalesce(s.version, 0), m.metric, m.counts_from_us
        FROM account a LEFT JOIN anonymous_sharing s ON s.person = a.id LEFT JOIN anonymous_metric m ON m.person = a.id
        WHERE a.id = $1 AND a.kind = 'person'
        """, [.int8(person)])
      guard rows.rowCount > 0 else { return nil }
      var countsFrom: [MetricID: Microseconds] = [:]
      for row in 0..<rows.rowCount where !rows.isNull(row, 1) {
        countsFrom[try rows.int32(row, 1)] = try rows.int64(row, 2)
      }
      return AnonymousSharing(version: try rows.int64(0, 0), countsFrom: countsFrom)
    }
  }

  /// How a change ended.
  package enum Outcome: Sendable, Hashable {
    /// It holds from the position on.
    case changed(LogPosition)
    /// The person had changed it in between, or has no account any more.
    case stale
    /// There were too many changes in the last 24 hours.
    case tooOften
  }

  /// Replaces what a person shares, as an entry of the log. What is shared already stays as it is.
  /// - Parameters:
  ///   - known: what is replaced.
  ///   - now: what is new counts from the next full hour.
  /// - Throws: `PostgresError`; `CancellationError`, after which it may have been changed.
  package func change(
    _ known: AnonymousSharing, of person: PersonID, to metrics: Set<MetricID>, at now: Microseconds
  ) async throws -> Outcome {
    let position = try await writer.append(
      EntryRequest(
        LogEntry(AnonymousSharingChange(person: person, metrics: metrics)),
        sql: "SELECT change_anonymous_sharing($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        [
          .int8(person), .int8(known.version), .int4Array(metrics.sorted()), .int8(Self.nextHour(after: now)),
          .timestamptz(microsecondsSinceUnixEpoch: now),
          .timestamptz(microsecondsSinceUnixEpoch: now - Self.changesTime), .int4(Int32(Self.changesMax)),
        ]))
    if let position { return .changed(position) }
    return try await sharing(of: person)?.version == known.version ? .tooOften : .stale
  }

  /// Writes what a new person shares, in the transaction that makes the account.
  /// - Throws: `PostgresError`.
  static func register(
    _ person: PersonID, sharing metrics: Set<MetricID>, at now: Microseconds, _ connection: Connection
  ) throws {
    if metrics.isEmpty { return }
    try connection.query("INSERT INTO anonymous_sharing (person, version) VALUES ($1, 1)", [.int8(person)])
    try connection.query(
      "INSERT INTO anonymous_metric (person, metric, counts_from_us) SELECT $1, unnest($2::integer[]), $3",
      [.int8(person), .int4Array(metrics.sorted()), .int8(nextHour(after: now))])
  }

  /// Answers are about whole hours.
  static func nextHour(after time: Microseconds) -> Microseconds { Chunk.hourStart(of: time + Chunk.hour - 1) }
}

extension StorageSystem {
  /// Who shares what anonymously.
  package var anonymousSharing: AnonymousSharingStore { AnonymousSharingStore(pool: pool, writer: writer) }
}
