import Postgres
import RacesStorage
import Storage

extension [AreaTables] {
  static let all = base + [.races]
}

extension StorageSystem {
  static func migrate(_ connection: Connection) throws { try migrate(connection, .all) }
}
