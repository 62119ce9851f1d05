package import AreaKit
package import Domain
internal import Emergencies
internal import Identity
package import Log
package import Metering
internal import Notifications
internal import Readings
package import RPCRuntime
package import ServiceLifecycle

/// AutomatedSOS: settings and emergencies of persons, the monitor of readings, the desk that calls, and dispatchers.
package struct SosArea: Area {
  package struct Settings: Sendable {
    /// The desk as a server has it; nil in tests that have other parts in its place.
    let started: StartedDesk?
    /// Checks readings; nil: nobody does.
    let monitor: (any ReadingMonitor)?
    /// Calls; nil: nobody does.
    let desk: (any ActiveEmergencies)?
    /// Gives calls out to dispatchers; nil: there are none.
    let calls: (any CallDesk)?
    /// The same for people at their desks.
    let staff: (any StaffDesk)?

    init(_ started: StartedDesk) {
      self.started = started
      monitor = nil
      desk = nil
      calls = nil
      staff = nil
    }

    package init(
      monitor: (any ReadingMonitor)?, desk: (any ActiveEmergencies)?, calls: (any CallDesk)? = nil,
      staff: (any StaffDesk)? = nil
    ) {
      started = nil
      self.monitor = monitor
      self.desk = desk
      self.calls = calls
      self.staff = staff
    }
  }

  package static let tables = AreaTables.sos
  package static let counted = [MetricFamily.dispatchCalls]

  package let parts: SosParts
  package let dispatch: DispatchService
  /// The emergencies that are not over; nil: nobody calls.
  package let desk: (any ActiveEmergencies)?
  private let roster: DeskRoster
  private let life: SosLife?
  private let contacts: ContactQuestions
  private let house: House

  /// The desk begins here: it goes on with calls that a crash has interrupted, also while there is no database.
  package static func settings(_ start: AreaStart) throws -> Settings { Settings(try StartedDesk(start)) }

  package init(_ house: House, _ settings: Settings) async throws {
    let storage = house.storage
    if let started = settings.started { try await started.attach(to: storage) }
    let life = settings.started.map { SosLife(desk: $0.desk, storage: storage, logger: house.logger) }
    let (monitor, desk) = (settings.monitor ?? life?.monitor, settings.desk ?? life?.desk)
    let parts = SosParts(storage: storage, streams: house.streams, monitor: monitor, desk: desk, clock: house.clock)
    self.house = house
    self.life = life
    self.desk = desk
    self.parts = parts
    roster = DeskRoster(operators: DeskOperators(pool: storage.pools.urgent))
    dispatch = DispatchService(
      desk: settings.calls ?? life?.desk, staff: settings.staff ?? life?.desk, roster: roster, streams: house.streams,
      storage: storage
    ) { account, system in
      house.logger.notice("a dispatcher has connected", metadata: ["dispatcher": "\(account)", "system": "\(system)"])
    }
    let words = ContactWords(origin: settings.started?.pageOrigin)
    contacts = ContactQuestions(store: storage.contacts, gateway: settings.started?.contacts, words: words)
    let notices = house[NotificationsArea.self].notices
    notices.add(Notice.ofSos(words))
    notices.add(CurrentFact.ofSos)
    notices.add(.ofContactQuestions)
    house[IdentityArea.self].additions.add(.automatedSos(parts.roster))
    if let monitor { house[ReadingsArea.self].taps.add(monitor) }
  }

  package var methods: [RPCMethod] { parts.service.methods + dispatch.methods }

  package var upkeep: [Upkeep] {
    let (storage, roster, desks) = (house.storage, parts.roster, self.roster)
    return [
      Upkeep("SOS", every: .milliseconds(500)) { try await roster.refresh() },
      Upkeep("desks", every: .seconds(1)) { try await desks.refresh() },
      Upkeep("contacts", every: .milliseconds(500)) { [contacts] in try await contacts.round() },
      Upkeep("answers of contacts", every: .seconds(60)) { try await storage.contacts.sweep() },
    ]
  }

  package var measures: [Measure] { life?.desk.measures ?? [] }

  package var lives: [any Service] { life.map { [$0] } ?? [] }

  package func begin() async throws {
    try await parts.begin()
    try await roster.refresh()
    life?.begin()
    try await life?.rebuild.run()
  }

  package func forget(_ account: AccountID) async throws { try await parts.forget(account) }
}
