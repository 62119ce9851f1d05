internal import Domain
internal import RPCRuntime
internal import Storage

/// How many backtests run at once: each reads a month of readings.
final class BacktestTurns: Sendable {
  static let maxAtOnce = 4

  private let turns = FairTurns(places: maxAtOnce, perAsker: 1, waiting: 0)

  /// Runs a backtest of a person.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_BUSY if the person has one running, or too many others have.
  func run<T>(of person: PersonID, _ body: () async throws -> T) async throws -> T {
    do {
      return try await turns.run(for: .account(person), body)
    } catch is FairTurns.Full {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_BUSY", message: "another backtest is running; try again when it is done")
    }
  }
}
