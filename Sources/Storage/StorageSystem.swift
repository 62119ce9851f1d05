internal import Domain
public import Logging
public import Postgres

/// Everything that keeps readings, put together over one database.
public final class StorageSystem: Sendable {
  public let pool: Pool
  public let tail: LogTail
  public let writer: LogWriter
  public let compactor: Compactor
  public let store: ReadingStore
  public let metrics: MetricRegistry
  public let sources: SourceRegistry
  public let tokens: TokenRegistry
  public let accounts: AccountStore
  public let passwords: PasswordRecords
  public let sessions: SessionStore
  public let devices: DeviceStore
  public let bridges: BridgeStore
  public let access: AccessRegistry
  public let watermarks: WatermarkStore
  public let subscriptions: SubscriptionRegistry
  public let disclosures: DisclosureLedger
  public let ended: EndedPersons
  public let erasures: ErasureStore
  public let decisions: RaceDecisions

  private init(
    database: ConnectionConfiguration, pool: Pool, tail: LogTail, writer: LogWriter, compactor: Compactor,
    sources: SourceRegistry, metrics: MetricRegistry
  ) {
    self.pool = pool
    self.tail = tail
    self.writer = writer
    self.compactor = compactor
    self.metrics = metrics
    store = ReadingStore(pool: pool, tail: tail)
    self.sources = sources
    tokens = TokenRegistry(pool: pool)
    accounts = AccountStore(pool: pool)
    passwords = PasswordRecords(pool: pool)
    sessions = SessionStore(pool: pool)
    devices = DeviceStore(pool: pool)
    bridges = BridgeStore(pool: pool)
    access = AccessRegistry(pool: pool, writer: writer)
    watermarks = WatermarkStore(pool: pool)
    subscriptions = SubscriptionRegistry(pool: pool)
    disclosures = DisclosureLedger(pool: pool, database: database)
    ended = EndedPersons(pool: pool)
    erasures = ErasureStore(pool: pool, ended: ended)
    decisions = RaceDecisions(pool: pool, writer: writer)
  }

  /// Brings the schema up to date. PostGIS has to be installed, and unless it is in the database already, the role has to
  /// be a superuser.
  /// - Throws: `PostgresError`.
  public static func migrate(_ connection: Connection) throws {
    _ = try Migrations(SchemaMigrations.all).apply(connection)
  }

  /// Brings the schema up to date and opens the log. `writer.start()` is left to the caller. Where PostgreSQL has
  /// synchronous standbys it waits until they have the log as it is.
  ///
  /// - Parameters:
  ///   - database: where the writer connects.
  ///   - pool: connections to the same database.
  ///   - lock: which the caller has taken; nil where nobody else can come.
  /// - Throws: `PostgresError`.
  public static func open(
    database: ConnectionConfiguration, pool: Pool, lock: ServerLock? = nil, limits: LogWriter.Limits = .init(),
    compaction: Compactor.Policy = .init(), logger: Logger
  ) async throws -> StorageSystem {
    let (head, compacted) = try await pool.withConnection { connection in
      try migrate(connection)
      try SessionFence.endAllWriters(connection)
      // A session that was ended in mid-commit makes its rows visible before a standby has them.
      try connection.awaitStandbys()
      let state = try connection.query(
        """
        SELECT greatest((SELECT max(position) FROM reading_log), compacted_position), compacted_position FROM log_state
        """, [])
      return (try state.int64(0, 0), try state.int64(0, 1))
    }
    let tail = LogTail(head: head, compacted: compacted)
    let sources = SourceRegistry(pool: pool)
    return StorageSystem(
      database: database, pool: pool, tail: tail,
      writer: LogWriter(database: database, pool: pool, lock: lock, tail: tail, limits: limits, logger: logger),
      compactor: Compactor(pool: pool, tail: tail, sources: sources, policy: compaction, logger: logger),
      sources: sources, metrics: try await MetricRegistry.load(from: pool))
  }
}
