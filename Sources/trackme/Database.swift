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
  static func open(_ settings: Settings, health: HealthRegistry) throws -> Database {
    let cluster = settings.databaseURL == nil ? EmbeddedCluster(directory: settings.dataDirectory + "/postgres") : nil
    let configuration = try cluster?.start() ?? ConnectionConfiguration(url: settings.databaseURL ?? "")
    var poolConfiguration = cluster.map { PoolConfiguration($0, configuration) } ?? PoolConfiguration(configuration)
    poolConfiguration.onAvailabilityChange = { health.databaseChanged(isThere: $0) }
    return Database(configuration: configuration, pools: StoragePools(poolConfiguration), cluster: cluster)
  }
}
