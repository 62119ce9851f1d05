package import AreaKit
package import Log
internal import Notifications
package import RPCRuntime
package import ServiceLifecycle

/// Consent: requests for access, what is followed under them, and who has received what.
package struct SharingArea: Area {
  package static let tables = AreaTables.sharing

  private let house: House
  private let access: AccessService
  package let subscriptions: SubscriptionService

  package init(_ house: House, _ settings: NoSettings) {
    self.house = house
    let notices = house[NotificationsArea.self].notices
    notices.add(Notice.ofSharing)
    notices.add(CurrentFact.ofSharing)
    access = AccessService(hub: house.hub, watch: house.watch, storage: house.storage, clock: house.clock)
    subscriptions = SubscriptionService(hub: house.hub, watch: house.watch, storage: house.storage, clock: house.clock)
  }

  package var methods: [RPCMethod] { access.methods + subscriptions.methods }

  package var upkeep: [Upkeep] {
    let (storage, clock, subscriptions) = (house.storage, house.clock, subscriptions)
    return [
      Upkeep("subscriptions", every: .milliseconds(500)) { try await subscriptions.refreshOrders() },
      Upkeep("expired grants", every: .seconds(30)) {
        while try await storage.access.endExpiredGrants(at: clock()) > 0 {}
      },
    ]
  }

  package var tasks: [@Sendable () async -> Void] {
    let (storage, clock, logger) = (house.storage, house.clock, house.logger)
    return [
      {
        await DigestMaker(pool: storage.pools.upkeep, writer: storage.writer, clock: clock, logger: logger).run()
      },
      { await storage.disclosures.run(logger: logger) },
    ]
  }

  package var lives: [any Service] { [LedgerLife(ledger: house.storage.disclosures)] }
}

/// Writes down what was delivered before the database ends.
private struct LedgerLife: Service {
  let ledger: DisclosureLedger

  func run() async throws {
    try? await gracefulShutdown()
    await ledger.close()
  }
}
