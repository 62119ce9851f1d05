public import Logging
public import Postgres
internal import Synchronization

/// Everything that keeps readings, put together over one database.
public final class StorageSystem: Sendable {
  public let areas: [AreaTables]
  public let pools: StoragePools
  public let tail: LogTail
  public let writer: LogWriter
  public let compactor: Compactor
  public let store: ReadingStore
  /// Turns for questions that read much out of `pools.heavy`; `store` takes them by itself.
  public let questions: FairTurns
  /// Those for questions about readings that read little, out of `pools.brief`.
  let briefQuestions: FairTurns
  public let metrics: MetricRegistry
  public let sources: SourceRegistry
  public let tokens: TokenRegistry
  public let watermarks: WatermarkStore
  public let ended: EndedPersons
  /// Signs what clients keep for the servers of this database: 32 bytes.
  public let cursorKey: [UInt8]
  /// Where it is.
  public let database: ConnectionConfiguration
  private let stores = Mutex<[ObjectIdentifier: any Sendable]>([:])

  private init(
    areas: [AreaTables], database: ConnectionConfiguration, pools: StoragePools, tail: LogTail, writer: LogWriter,
    compactor: Compactor,
    sources: SourceRegistry, metrics: MetricRegistry, cursorKey: [UInt8]
  ) {
    let pool = pools.general
    self.areas = areas
    self.database = database
    self.pools = pools
    self.tail = tail
    self.writer = writer
    self.compactor = compactor
    self.metrics = metrics
    self.cursorKey = cursorKey
    questions = .forQuestions()
    briefQuestions = .forQuestions(places: FairTurns.briefPlaces)
    store = ReadingStore(
      heavy: .init(pool: pools.heavy, turns: questions), brief: .init(pool: pools.brief, turns: briefQuestions),
      tail: tail)
    self.sources = sources
    tokens = TokenRegistry(pool: pools.urgent, unknown: pool)
    watermarks = WatermarkStore(pool: pool)
    ended = EndedPersons(pool: pools.urgent)
  }

  /// Brings the schema up to date. PostGIS has to be installed, and unless it is in the database already, the role has to
  /// be a superuser.
  /// - Throws: `PostgresError`.
  public static func migrate(_ connection: Connection, _ areas: [AreaTables]) throws {
    _ = try Migrations(areas.migrations, functions: areas.flatMap(\.functions)).apply(connection)
  }

  /// Brings the schema up to date and opens the log. `writer.start()` is left to the caller. Where PostgreSQL has
  /// synchronous standbys it waits until they have the log as it is.
  ///
  /// - Parameters:
  ///   - areas: each after those that it stands on.
  ///   - database: where the writer connects.
  ///   - pools: connections to the same database.
  ///   - lock: which the caller has taken; nil where nobody else can come.
  /// - Throws: `PostgresError`.
  public static func open(
    areas: [AreaTables], database: ConnectionConfiguration, pools: StoragePools, lock: ServerLock? = nil,
    limits: LogWriter.Limits = .init(),
    compaction: Compactor.Policy = .init(), logger: Logger
  ) async throws -> StorageSystem {
    let (head, compacted, cursorKey, clients) = try await pools.upkeep.withConnection { connection in
      try migrate(connection, areas)
      try SessionFence.endAllWriters(connection)
      // A session that was ended in mid-commit makes its rows visible before a standby has them.
      try connection.awaitStandbys()
      let state = try connection.query(
        """
        SELECT greatest((SELECT max(position) FROM reading_log), compacted_position), compacted_position FROM log_state
        """, [])
      let key = try connection.query("SELECT key FROM cursor_key", []).bytes(0, 0)
      return (try state.int64(0, 0), try state.int64(0, 1), key, try LogWriter.readClients(connection))
    }
    let tail = LogTail(head: head, compacted: compacted)
    let sources = SourceRegistry(pool: pools.urgent)
    // Alarms and questions wait for no connect.
    try await pools.urgent.warmUp()
    for pool in [pools.heavy, pools.brief] { try await pool.warmUp { try PersonHistory.warmUp($0) } }
    let storage = StorageSystem(
      areas: areas, database: database, pools: pools, tail: tail,
      writer: LogWriter(
        database: database, pool: pools.urgent, lock: lock, tail: tail, clients: clients, limits: limits, logger: logger
      ),
      compactor: Compactor(pool: pools.upkeep, tail: tail, sources: sources, policy: compaction, logger: logger),
      sources: sources, metrics: try await MetricRegistry.load(from: pools.general), cursorKey: cursorKey)
    try await storage.sources.load()
    for area in areas { try await area.begin(storage) }
    return storage
  }

  /// What an area has in memory of its tables: one for the whole system, made when it is first asked for.
  /// - Parameter make: may be called by two at once; one of what they make is kept.
  public func store<Store: Sendable>(_ make: (StorageSystem) -> Store) -> Store {
    let key = ObjectIdentifier(Store.self)
    if let store = stores.withLock({ $0[key] }) as? Store { return store }
    let made = make(self)
    let kept = stores.withLock { stores in
      if let earlier = stores[key] { return earlier }
      stores[key] = made
      return made
    }
    return kept as? Store ?? made
  }

  /// Connections for what is short.
  public var pool: Pool { pools.general }
}
