internal import Domain
internal import Log
internal import Notifications
internal import Payments
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import Threads

/// Races from planning to result: each RPC has its own file.
public final class RaceService: RaceServiceHandler {
  let storage: StorageSystem
  /// Who may see and manage a race.
  let access: RaceAccess
  let board: NotificationBoard
  /// Bounds what planning of routes costs.
  let plans = FairTurns.forPlans()
  let planCalls = FairTurns(places: .max, perAsker: maxPlanCallsPerPerson, waiting: 0)
  let planLimit = PlanLimit()
  /// Reads uploaded tracks, which takes up to a second. Never full: no more plans than may wait are made at once.
  let tracks = WorkerThread("tracks", priority: .low, maxWaiting: maxPlansAtOnce)
  /// Who asks for fees.
  let fees: PaymentDesk
  let seal: Seal
  /// The time of day.
  let clock: @Sendable () -> Microseconds

  var store: RaceStore { storage.races }

  /// - Parameters:
  ///   - board: is woken when something is put into inboxes.
  ///   - fees: asks for fees.
  ///   - clock: the time of day.
  init(
    storage: StorageSystem, board: NotificationBoard, fees: PaymentDesk, clock: @escaping @Sendable () -> Microseconds
  ) {
    self.storage = storage
    self.board = board
    self.fees = fees
    self.clock = clock
    seal = storage.seal
    access = RaceAccess(races: storage.races)
  }
}

extension FairTurns {
  /// For plans of routes.
  static func forPlans() -> FairTurns {
    FairTurns(places: RaceService.maxPlansAtOnce, perAsker: 1, waiting: RaceService.maxPlansWaiting)
  }
}

extension RPCStatus {
  static let plansUnderWay = failure(
    .resourceExhausted, reason: "TOO_BUSY", message: "as many plans wait as may; try again in a few seconds")
  static let plansOfOnePerson = failure(
    .resourceExhausted, reason: "TOO_BUSY",
    message: "at most \(RaceService.maxPlanCallsPerPerson) of your plans at once; try again when one is made",
    metadata: ["limit": "\(RaceService.maxPlanCallsPerPerson)"])
}
