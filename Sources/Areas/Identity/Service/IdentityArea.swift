package import AreaKit
package import ArgumentParser
package import Log
internal import Notifications
package import OpenIDConnect
package import RPCRuntime
internal import ServiceKit

/// Accounts, sessions, devices and bridges.
package struct IdentityArea: Area {
  package struct Settings: Sendable {
    let openID: OpenIDProvider?

    /// - Parameter openID: whose sign-ins are trusted; nil: nobody's.
    package init(openID: OpenIDProvider? = nil) { self.openID = openID }
  }

  package static let tables = AreaTables.identity
  package static var commands: [any ParsableCommand.Type] { [TokenCommand.self, AdminCommand.self] }

  /// What areas make beside an account when it is registered.
  package let additions = RegistrationAdditions()
  private let service: IdentityService
  private let house: House

  package static func settings(_ start: AreaStart) throws -> Settings {
    Settings(openID: try OpenIDSettings(start.environment).provider)
  }

  package init(_ house: House, _ settings: Settings) {
    self.house = house
    house[NotificationsArea.self].notices.add(Notice.ofIdentity)
    service = IdentityService(
      storage: house.storage, access: house.access, hasher: PasswordHasher(),
      registration: Registration(pool: house.storage.pool, additions: additions), openID: settings.openID,
      clock: house.clock)
  }

  package var methods: [RPCMethod] { service.methods }

  package var upkeep: [Upkeep] {
    let storage = house.storage
    return [
      Upkeep("bridges", every: .seconds(1)) { try await storage.bridges.permissions.refresh() },
      Upkeep("sessions", every: .seconds(60)) { try await storage.sessions.sweep() },
    ]
  }
}
