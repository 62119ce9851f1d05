public import Postgres

/// A server's connections to PostgreSQL, apart by what they are for, so that nothing that somebody's safety waits for
/// stands behind what can wait.
public struct StoragePools: Sendable {
  /// How many connections there are; `DatabaseNeeds.connections` has all of a server's.
  static let urgentConnections = 3
  static let generalConnections = 4
  static let heavyConnections = FairTurns.questionPlaces + FairTurns.catchUpPlaces
  static let briefConnections = FairTurns.briefPlaces
  static let upkeepConnections = 3

  /// The longest that a statement out of `heavy` or `brief` may run. Long histories are read in many statements.
  static let heavyTimeMax: Duration = .seconds(30)

  /// For tokens, ingest and emergencies: statements of milliseconds.
  public let urgent: Pool
  /// For everything else that is short.
  public let general: Pool
  /// For what reads many readings or much of the map. It is asked in fair turns (`FairTurns`), of which there are as many as
  /// connections.
  public let heavy: Pool
  /// For questions about readings that read little. Apart from `general`, because how much somebody's newest readings are is
  /// known when they were read; also with a connection for each turn.
  public let brief: Pool
  /// For what the server does by itself: compaction, digests, erasures.
  public let upkeep: Pool

  /// - Parameter configuration: of the server; its number of connections does not count.
  public init(_ configuration: PoolConfiguration) {
    func with(
      _ count: Int, _ name: String, beside other: Pool?, _ change: (inout PoolConfiguration) -> Void = { _ in }
    ) -> Pool {
      var configuration = configuration
      configuration.connectionCount = count
      configuration.threadName = "pg-\(name)"
      change(&configuration)
      return Pool(configuration, beside: other)
    }
    urgent = with(Self.urgentConnections, "urgent", beside: nil)
    general = with(Self.generalConnections, "general", beside: urgent)
    heavy = with(Self.heavyConnections, "heavy", beside: urgent) {
      $0.bodyTimeMax = Self.heavyTimeMax
      $0.givesWay = true
    }
    brief = with(Self.briefConnections, "brief", beside: urgent) { $0.bodyTimeMax = Self.heavyTimeMax }
    upkeep = with(Self.upkeepConnections, "upkeep", beside: urgent)
  }

  /// One pool for everything, for programs that ask little.
  public init(sharing pool: Pool) {
    urgent = pool
    general = pool
    heavy = pool
    brief = pool
    upkeep = pool
  }

  /// Shuts every pool down, as `Pool.shutdown` does.
  public func shutdown() async {
    async let ended: (Void, Void, Void, Void) = (
      heavy.shutdown(), brief.shutdown(), upkeep.shutdown(), general.shutdown()
    )
    _ = await ended
    // Last: its monitor watches for the others.
    await urgent.shutdown()
  }
}
