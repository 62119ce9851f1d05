package import AreaKit
package import Log
internal import Notifications
package import Payments
package import RPCRuntime
package import ServiceLifecycle

/// Consent: requests for access, what is followed under them, and who has received what.
package struct SharingArea: Area {
  package struct Settings: Sendable {
    /// Of a request for access that is accepted; nil: nothing.
    let price: Money?

    package init(price: Money? = nil) { self.price = price }
  }

  package static let tables = AreaTables.sharing
  package static let help = """
    A request for access costs the third party TRACKME_REQUEST_PRICE, such as "1500 EUR" in the currency's smallest unit, if \
    the person accepts it; without the variable, nothing.
    """

  private let house: House
  /// Asks the payment provider.
  private let desk: PaymentDesk
  private let access: AccessService
  package let subscriptions: SubscriptionService

  package static func settings(_ start: AreaStart) throws -> Settings {
    Settings(price: try start.price("TRACKME_REQUEST_PRICE"))
  }

  package init(_ house: House, _ settings: Settings) {
    self.house = house
    let payments = house[PaymentsArea.self]
    payments.store.add(.requests)
    desk = payments.desk
    let notices = house[NotificationsArea.self].notices
    notices.add(Notice.ofSharing)
    notices.add(CurrentFact.ofSharing)
    access = AccessService(
      hub: house.hub, watch: house.watch, storage: house.storage, desk: desk, price: settings.price, clock: house.clock)
    subscriptions = SubscriptionService(hub: house.hub, watch: house.watch, storage: house.storage, clock: house.clock)
  }

  package var methods: [RPCMethod] { access.methods + subscriptions.methods }

  package var upkeep: [Upkeep] {
    let (storage, clock, subscriptions) = (house.storage, house.clock, subscriptions)
    return [
      Upkeep("subscriptions", every: .milliseconds(500)) { try await subscriptions.refreshOrders() },
      Upkeep("expired grants", every: .milliseconds(500)) {
        while try await storage.access.endExpiredGrants(at: clock()) > 0 {}
      },
      Upkeep("requests that are paid for", every: .milliseconds(500)) { [desk] in
        while try await storage.access.followPayments(at: clock()) > 0 { desk.wake() }
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
