import RacesStorage
import Storage

extension [AreaTables] {
  /// The areas of the server, each after those that it stands on.
  static let all = base + [.races]
}
