package import AreaKit
package import ArgumentParser
internal import Identity
package import Log
package import Metering
internal import Logging
internal import Payments
package import RPCRuntime
internal import Sharing

/// Anonymous groups: what each person shares anonymously, and what groups of a thousand persons and more add up to.
package struct GroupsArea: Area {
  package static let tables = AreaTables.groups
  package static let help = GroupSettings.help
  package static var commands: [any ParsableCommand.Type] { [SeedPersonsCommand.self, ImportAreasCommand.self] }

  private let service: GroupService
  private let storage: StorageSystem
  private let logger: Logger
  package static func settings(_ start: AreaStart) throws -> GroupSettings { try GroupSettings(start) }

  package init(_ house: House, _ settings: GroupSettings) {
    storage = house.storage
    logger = house.logger
    let payments = house[PaymentsArea.self]
    payments.store.add(.groupAnswers)
    service = GroupService(house.storage, settings, desk: payments.desk, clock: house.clock)
    house[IdentityArea.self].additions.add(
      .anonymousSharing(metrics: house.storage.metrics, clock: house.clock))
    house[SharingArea.self].subscriptions.add(
      GroupOrderBook(service: service, store: house.storage.groupSubscriptions))
  }

  package var methods: [RPCMethod] { service.methods }

  package var measures: [Measure] {
    [.follower("group_cells", of: storage.tail) { [storage] in try? await storage.positionOfGroupCells() }]
  }

  package var upkeep: [Upkeep] {
    [
      Upkeep("group cells", every: .seconds(1)) { [storage, service, logger] in
        try await storage.groupCells.gather(for: service.epochs.gathering(at: service.clock()))
        try await service.begin(service.epoch, storage.groupSubscriptions, logger: logger)
      },
      Upkeep("answers that are paid for", every: .seconds(5)) { [service] in
        while try await service.purchases.sweep(at: service.clock()) {}
        service.desk.wake()
      },
    ]
  }
}
