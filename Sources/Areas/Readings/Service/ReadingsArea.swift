package import AreaKit
package import Domain
package import Log
package import RPCRuntime
package import ServiceKit

/// Readings: taken in, and asked for.
package struct ReadingsArea: Area {
  package struct Settings: Sendable {
    /// What is kept free on the disk of the database, where it is ours: MiB.
    var diskReserveMiB = DiskWatch.reserveMiB
    /// Bound what is taken in of each person.
    var quotas: ReadingQuotas

    package init(quotas: ReadingQuotas = ReadingQuotas()) { self.quotas = quotas }
  }

  package static let tables = AreaTables(migrations: [], personal: [:])

  private static let ingestName = "trackme.ingest.v1.IngestService"

  package let ingest: IngestService
  private let readings: ReadingService
  private let house: House
  /// Nil where the disk is not ours.
  private let disk: DiskWatch?

  package static func settings(_ start: AreaStart) throws -> Settings {
    let environment = start.environment
    let megabytes =
      try environment.number("TRACKME_PERSON_STORAGE_MIB", 1...1_000_000_000) ?? Int(StorageQuota.bytesMax >> 20)
    var settings = Settings(quotas: ReadingQuotas(space: StorageQuota(limit: Int64(megabytes) << 20)))
    settings.diskReserveMiB =
      try environment.number("TRACKME_DISK_RESERVE_MIB", 0...1_000_000_000) ?? DiskWatch.reserveMiB
    return settings
  }

  package init(_ house: House, _ settings: Settings) {
    self.house = house
    ingest = IngestService(storage: house.storage, quotas: settings.quotas, clock: house.clock)
    readings = ReadingService(hub: house.hub, watch: house.watch, storage: house.storage, clock: house.clock)
    disk = house.databaseDirectory.map {
      DiskWatch(directory: $0, reserveMiB: settings.diskReserveMiB, logger: house.logger)
    }
  }

  /// Who looks at readings before they are committed.
  package var taps: ReadingTaps { ingest.taps }

  package var methods: [RPCMethod] { ingest.methods + readings.methods }

  package var registers: [any StreamRegister] { [ingest] }

  package var upkeep: [Upkeep] {
    [
      Upkeep("disk", every: .seconds(1)) { [self] in lookAtDisk() },
      Upkeep("ingest", every: .milliseconds(200)) { [ingest] in ingest.lookAfterStalls() },
      Upkeep("sources", every: .milliseconds(500)) { [ingest] in await ingest.lookAfterNames() },
      Upkeep("space", every: .seconds(1)) { [ingest] in try await ingest.lookAfterSpace() },
    ]
  }

  private func lookAtDisk() {
    guard let hasRoom = disk?.look() else { return }
    ingest.diskChanged(hasRoom: hasRoom)
    house.health.diskChanged(hasRoom: hasRoom, for: Self.ingestName)
  }
}
