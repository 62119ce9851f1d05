import Admin
import AreaKit
import Expenditure
import Groups
import Identity
package import Log
import Notifications
import Payments
import Races
import Readings
import Sharing
import Sos
import Web

/// The areas of the server, each after those that it stands on.
let areas: [any Area.Type] = [
  NotificationsArea.self,
  IdentityArea.self,
  PaymentsArea.self,
  SharingArea.self,
  ReadingsArea.self,
  SosArea.self,
  RacesArea.self,
  GroupsArea.self,
  ExpenditureArea.self,
  AdminArea.self,
  WebArea.self,
]

extension [AreaTables] {
  /// What the server keeps in the database.
  package static let all = [.log] + areas.map { $0.tables }
}
