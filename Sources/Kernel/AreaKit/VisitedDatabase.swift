internal import Console
package import Postgres

extension ConnectionConfiguration {
  /// The database of a data directory whose server may be running.
  /// - Throws: `PostgresError` where none runs.
  package init(visiting dataDirectory: String) throws {
    if let url = Environment()["TRACKME_DATABASE_URL"] {
      self = try ConnectionConfiguration(url: url)
    } else if let running = EmbeddedCluster.running(in: dataDirectory + "/postgres") {
      self = running
    } else {
      throw PostgresError(.connection, "no server is running on \(dataDirectory)")
    }
  }
}
