import Domain
import RPCRuntime
import Testing

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// What takes turns in the services, and what those are told who may not wait.
@Suite(.timeLimit(.minutes(5))) struct TurnsTests {
  /// A backtest reads a month of readings, and anybody may ask for one.
  @Test func fourBacktestsRunAtOnceOneOfAPersonAndOthersAreToldToTryAgain() async throws {
    let turns = FairTurns.forBacktests()
    func refusal(of person: PersonID) async -> String? {
      await status { try await turns.run(for: .account(person), orThrow: .backtestsUnderWay) {} }?.errorInfo?.reason
    }
    try await turns.run(for: .account(1)) {
      #expect(await refusal(of: 1) == "TOO_BUSY")
      try await turns.run(for: .account(2)) {
        try await turns.run(for: .account(3)) {
          #expect(await refusal(of: 5) == nil)
          try await turns.run(for: .account(4)) { #expect(await refusal(of: 5) == "TOO_BUSY") }
          #expect(await refusal(of: 5) == nil)
        }
      }
    }
    // One that failed has ended as well.
    let failure = await status {
      try await turns.run(for: .account(1), orThrow: .backtestsUnderWay) { throw RPCStatus.shuttingDown }
    }
    #expect(failure?.code == .unavailable)
    #expect(await refusal(of: 1) == nil)
  }

  /// After a restart every subscriber is behind at once, and more of them than the connection pool lets wait.
  @Test func moreStreamsThanThePoolHasPlacesCatchUpTogether() async throws {
    try await withServer(poolWaiting: 4) { rig in
      for time in 1...5 as ClosedRange<Int64> { try await rig.record(1, [(time, 60)]) }
      try await rig.storage.compactor.compactEverything()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<60 {
          group.addTask {
            let client = SubscriptionClient(rig)
            try await client.begin(.init(personIDs: [1], startAt: .beginning))
            #expect(try await client.items(5).items.map(\.time) == [1, 2, 3, 4, 5])
            client.stream.cancel()
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
