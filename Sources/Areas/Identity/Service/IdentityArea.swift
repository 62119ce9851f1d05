package import AreaKit
package import ArgumentParser
package import Log
package import Metering
internal import Notifications
package import OpenIDConnect
internal import Outbound
package import RPCRuntime
package import ServiceKit

/// Accounts, sessions, devices and bridges.
package struct IdentityArea: Area {
  package struct Settings: Sendable {
    /// Whose sign-ins are trusted; nil: nobody's.
    package let openID: OpenIDProvider?
    /// Where questions to the issuer wait.
    let openIDThreads: OutboundThreads?

    /// - Parameter openID: whose sign-ins are trusted; nil: nobody's.
    package init(openID: OpenIDProvider? = nil) {
      self.openID = openID
      openIDThreads = nil
    }

    init(_ settings: OpenIDSettings) {
      openID = settings.provider
      openIDThreads = settings.threads
    }
  }

  package static let tables = AreaTables.identity
  package static var commands: [any ParsableCommand.Type] { [TokenCommand.self, AdminCommand.self] }

  /// What areas make beside an account when it is registered.
  package let additions = RegistrationAdditions()
  /// The one thread on which passwords are hashed.
  package let hasher = PasswordHasher()
  private let service: IdentityService
  private let openIDThreads: OutboundThreads?
  private let house: House

  package static func settings(_ start: AreaStart) throws -> Settings {
    Settings(try OpenIDSettings(start.environment))
  }

  package init(_ house: House, _ settings: Settings) {
    self.house = house
    openIDThreads = settings.openIDThreads
    house[NotificationsArea.self].notices.add(Notice.ofIdentity)
    service = IdentityService(
      storage: house.storage, access: house.access, hasher: hasher,
      registration: Registration(pool: house.storage.pool, additions: additions), openID: settings.openID,
      clock: house.clock)
  }

  package var methods: [RPCMethod] { service.methods }

  package var measures: [Measure] {
    service.passwordTurns.measures + [
      service.hasher.measure, .queue("outbound_openid", of: openIDThreads.map { [$0] } ?? []),
    ]
  }

  package var upkeep: [Upkeep] {
    let (storage, clock) = (house.storage, house.clock)
    return [
      Upkeep("bridges", every: .milliseconds(500)) { try await storage.bridges.permissions.refresh() },
      Upkeep("sessions", every: .seconds(60)) { try await storage.sessions.sweep() },
      Upkeep("disabled accounts", every: .seconds(1)) { try await storage.suspendDisabled(at: clock()) },
    ]
  }
}
