import Postgres

@testable import Log
@testable import trackme

extension StorageSystem {
  /// With the tables of all areas of the server.
  static func migrate(_ connection: Connection) throws { try migrate(connection, .all) }
}
