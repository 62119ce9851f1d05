package import AreaKit
internal import Identity
package import Log
internal import Notifications
internal import Races
package import RPCRuntime
internal import ServiceKit
internal import Sos

/// What administrators do.
package struct AdminArea: Area {
  package static let tables = AreaTables(migrations: [], personal: [:])

  private let service: AdminService

  package init(_ house: House, _ settings: NoSettings) {
    let (storage, roster) = (house.storage, house[SosArea.self].parts.roster)
    house[NotificationsArea.self].notices.add(Notice.ofAdministrators)
    service = AdminService(
      storage: storage, access: house.access, hasher: house[IdentityArea.self].hasher, clock: house.clock,
      dispatchStatusChanged: { try await roster.refresh() })
  }

  package var methods: [RPCMethod] { service.methods }
}
