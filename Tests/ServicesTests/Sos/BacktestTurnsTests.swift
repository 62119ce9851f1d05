import Domain
import RPCRuntime
import Testing

@testable import Services

/// A backtest reads a month of readings, and anybody may ask for one.
@Suite(.timeLimit(.minutes(1))) struct BacktestTurnsTests {
  @Test func fourRunAtOnceOneOfAPersonAndOthersAreToldToTryAgain() async throws {
    let turns = BacktestTurns()
    func refusal(of person: PersonID) async -> String? {
      await status { try await turns.run(of: person) {} }?.errorInfo?.reason
    }
    try await turns.run(of: 1) {
      #expect(await refusal(of: 1) == "TOO_BUSY")
      try await turns.run(of: 2) {
        try await turns.run(of: 3) {
          #expect(await refusal(of: 5) == nil)
          try await turns.run(of: 4) { #expect(await refusal(of: 5) == "TOO_BUSY") }
          #expect(await refusal(of: 5) == nil)
        }
      }
    }
    // One that failed has ended as well.
    #expect(await status { try await turns.run(of: 1) { throw RPCStatus.shuttingDown } }?.code == .unavailable)
    #expect(await refusal(of: 1) == nil)
  }
}
