internal import Domain
internal import RPCRuntime
internal import Synchronization

/// How many backtests run at once: each reads a month of readings.
final class BacktestTurns: Sendable {
  static let maxAtOnce = 4

  private let running = Mutex<Set<PersonID>>([])

  /// Runs a backtest of a person.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_BUSY if the person has one running, or too many others have.
  func run<T>(of person: PersonID, _ body: () async throws -> T) async throws -> T {
    let mayRun = running.withLock { $0.count < Self.maxAtOnce && $0.insert(person).inserted }
    guard mayRun else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_BUSY", message: "another backtest is running; try again when it is done")
    }
    defer { running.withLock { _ = $0.remove(person) } }
    return try await body()
  }
}
