internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit

/// AutomatedSOS for persons: each RPC has its own file. Everybody sees and changes the own only.
public final class SosService: SosServiceHandler {
  let store: SosStore
  let contacts: ContactStore
  let archive: EmergencyStore
  let readings: ReadingStore
  let metrics: MetricRegistry
  let sources: SourceRegistry
  let roster: SosRoster
  let desk: (any ActiveEmergencies)?
  let watch: EmergencyWatch
  let seal: Seal
  /// Bounds what backtests cost.
  let backtests = FairTurns.forBacktests()
  /// Bounds answers of contacts.
  let contactLimit = ContactLimit()
  /// The time of day.
  let clock: @Sendable () -> Microseconds

  /// - Parameters:
  ///   - roster: told of each change.
  ///   - desk: has the emergencies that are not over; nil: nobody calls.
  ///   - watch: hears of each transition.
  ///   - clock: the time of day.
  init(
    storage: StorageSystem, roster: SosRoster, desk: (any ActiveEmergencies)?, watch: EmergencyWatch,
    clock: @escaping @Sendable () -> Microseconds
  ) {
    store = storage.sos
    contacts = storage.contacts
    archive = storage.emergencies
    readings = storage.store
    metrics = storage.metrics
    sources = storage.sources
    seal = storage.seal
    self.roster = roster
    self.desk = desk
    self.watch = watch
    self.clock = clock
  }
}

extension FairTurns {
  /// For backtests: nobody waits.
  static func forBacktests() -> FairTurns { FairTurns(places: SosService.maxBacktestsAtOnce, perAsker: 1, waiting: 0) }
}

extension RPCStatus {
  /// The person has one running, or too many others have.
  static let backtestsUnderWay = failure(
    .resourceExhausted, reason: "TOO_BUSY", message: "another backtest is running; try again when it is done")
}
