package import AreaKit
internal import Domain
package import Log
package import Metering
internal import Notifications
internal import Outbound
package import PaymentGateway
package import ServiceLifecycle

/// What people pay for, through a payment provider. The areas above say what that is: each adds its `PaymentSubject`.
package struct PaymentsArea: Area {
  package struct Settings: Sendable {
    /// Takes payments; nil: nobody does.
    let provider: (any PaymentProvider)?
    /// Where the provider's news come in; nil: nowhere.
    let webhook: PaymentSettings.Webhook?

    init(_ settings: PaymentSettings) {
      provider = settings.provider
      webhook = settings.webhook
    }

    package init(provider: (any PaymentProvider)? = nil) {
      self.provider = provider
      webhook = nil
    }
  }

  package static let tables = AreaTables.payments
  package static let help = PaymentSettings.help

  package let store: PaymentStore
  /// Asks the provider; whoever wishes something wakes it.
  package let desk: PaymentDesk
  private let webhook: PaymentSettings.Webhook?

  package static func settings(_ start: AreaStart) throws -> Settings {
    Settings(try PaymentSettings(start.environment, isInsecure: start.isInsecure))
  }

  package init(_ house: House, _ settings: Settings) {
    let (board, logger) = (house[NotificationsArea.self].board, house.logger)
    store = PaymentStore(pool: house.storage.pool)
    desk = PaymentDesk(
      payments: store, provider: settings.provider, clock: house.clock, told: { board.nudge() },
      report: { PaymentLife.log($0, to: logger) })
    webhook = settings.webhook
  }

  package var routes: [HTTPRoute] {
    webhook.map { webhook in
      let resource = PaymentWebhook(desk: desk, signature: webhook.signature, clock: wallClock)
      return [HTTPRoute(webhook.address, PaymentWebhook.path) { await resource.answer($0) }]
    } ?? []
  }

  package var measures: [Measure] { [.queue("outbound_payments", of: desk.provider?.queues ?? [])] }

  package var lives: [any Service] { [PaymentLife(desk: desk)] }
}
