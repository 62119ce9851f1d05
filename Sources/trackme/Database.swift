import Console
import Log
import Postgres
import ServiceKit

/// The database of a server: its own PostgreSQL in the data directory, or one that somebody else runs.
struct Database {
  let configuration: ConnectionConfiguration
  let pools: StoragePools
  let cluster: EmbeddedCluster?

  /// Starts, adopts or reaches the database.
  /// - Parameter health: says NOT_SERVING while PostgreSQL is gone.
  /// - Throws: `PostgresError`; `DatabaseNeeds.Missing`.
  static func open(_ settings: Settings, health: HealthRegistry) throws -> Database {
    let cluster = settings.databaseURL == nil ? EmbeddedCluster(directory: settings.dataDirectory + "/postgres") : nil
    let configuration = try cluster?.start() ?? ConnectionConfiguration(url: settings.databaseURL ?? "")
    // The embedded PostgreSQL is as this program makes it.
    if cluster == nil { try DatabaseNeeds(of: configuration).check() }
    var poolConfiguration = cluster.map { PoolConfiguration($0, configuration) } ?? PoolConfiguration(configuration)
    poolConfiguration.onAvailabilityChange = { health.databaseChanged(isThere: $0) }
    return Database(configuration: configuration, pools: StoragePools(poolConfiguration), cluster: cluster)
  }

  /// Ends the pools and, if it is ours, PostgreSQL. Nothing asks anything of them any more.
  func close() async {
    await pools.shutdown()
    cluster?.stop()
  }
}
