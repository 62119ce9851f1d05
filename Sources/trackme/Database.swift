import Console
import Postgres
import ServiceKit
import Services
import Storage

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

  /// The database of a data directory whose server may be running.
  static func visit(dataDirectory: String) throws -> ConnectionConfiguration {
    if let url = Environment()["TRACKME_DATABASE_URL"] { return try ConnectionConfiguration(url: url) }
    guard let running = EmbeddedCluster.running(in: dataDirectory + "/postgres") else {
      throw PostgresError(.connection, "no server is running on \(dataDirectory)")
    }
    return running
  }
}
