internal import RPCRuntime
internal import Storage

extension FairTurns {
  /// For plans of routes: nobody waits.
  static func forPlans() -> FairTurns { FairTurns(places: RaceService.maxPlansAtOnce, perAsker: 1, waiting: 0) }

  /// For backtests: nobody waits.
  static func forBacktests() -> FairTurns { FairTurns(places: SosService.maxBacktestsAtOnce, perAsker: 1, waiting: 0) }

  /// Runs the body when it is the asker's turn.
  /// - Throws: `refusal` where as many wait as may, here or for turns that the body takes; `CancellationError` if the
  ///   task is cancelled while it waits; what the body throws.
  func run<T>(
    for asker: Asker = .current, orThrow refusal: @autoclosure () -> RPCStatus, _ body: () async throws -> T
  ) async throws -> T {
    do { return try await run(for: asker, body) } catch is Full { throw refusal() }
  }
}

extension RPCStatus {
  /// The person has one running, or too many others have.
  static let plansUnderWay = failure(
    .resourceExhausted, reason: "TOO_BUSY", message: "other plans are being made; try again in a few seconds")
  static let backtestsUnderWay = failure(
    .resourceExhausted, reason: "TOO_BUSY", message: "another backtest is running; try again when it is done")
}
