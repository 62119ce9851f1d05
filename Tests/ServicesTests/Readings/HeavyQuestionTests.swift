import Domain
import Glibc
import Postgres
import RPCRuntime
import ServiceAPI
import Testing
import TestSupport
import WireCodec

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

/// Questions that hang in the database, as if each read very much.
@Suite(.timeLimit(.minutes(5))) struct HeavyQuestionTests {
  /// Runs the body while no question about readings gets its answer.
  private func withoutAnswers(_ rig: ServiceRig, _ body: () async throws -> Void) async throws {
    let connection = try rig.connection()
    try connection.execute("BEGIN; LOCK TABLE reading_chunk")
    try await body()
    connection.close()
  }

  /// A page that reads much.
  private static let much = Trackme_Readings_V1_ListReadingsRequest(pageSize: 10_000)

  private func hanging(_ rig: ServiceRig) throws -> Int64 {
    try rig.connection().query(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'", []
    ).int64(0, 0)
  }

  @Test func aQuestionEndsInTheDatabaseWithItsCall() async throws {
    try await withServer(arePoolsApart: true) { rig in
      let caller = try await rig.token(for: 7)
      try await withoutAnswers(rig) {
        let end = await status {
          _ = try await rig.readings.listReadings(Self.much, metadata: caller, deadline: .milliseconds(500))
        }
        #expect(end?.code == .deadlineExceeded)
        try await eventually { try hanging(rig) == 0 && rig.storage.questions.runningCount == 0 }

        let asking = Task { _ = try await rig.readings.listReadings(Self.much, metadata: caller) }
        try await eventually { try hanging(rig) == 1 }
        asking.cancel()
        #expect(await status { try await asking.value }?.code == .cancelled)
        try await eventually { try hanging(rig) == 0 && rig.storage.questions.runningCount == 0 }
      }
    }
  }

  @Test func aQuestionThatReadsLittleEndsInTheDatabaseWithItsCallAndHasAConnectionOfItsOwn() async throws {
    try await withServer(arePoolsApart: true) { rig in
      let callers = try await [rig.token(for: 7), rig.token(for: 8)]
      try await withoutAnswers(rig) {
        let end = await status {
          _ = try await rig.readings.getCurrentStatus(.init(), metadata: callers[0], deadline: .milliseconds(500))
        }
        #expect(end?.code == .deadlineExceeded)
        try await eventually { try hanging(rig) == 0 && rig.storage.briefQuestions.runningCount == 0 }

        let asking = callers.map { caller in
          Task { _ = try await rig.readings.getCurrentStatus(.init(), metadata: caller) }
        }
        try await eventually { try hanging(rig) == 2 }
        #expect(try await metInThePool(rig.storage.pools.general, StoragePools.generalConnections))
        for task in asking {
          task.cancel()
          #expect(await status { try await task.value }?.code == .cancelled)
        }
        try await eventually { try hanging(rig) == 0 && rig.storage.briefQuestions.runningCount == 0 }
      }
    }
  }

  /// Whether so many can have a connection of the pool at the same time.
  private func metInThePool(_ pool: Pool, _ count: Int) async throws -> Bool {
    let (came, met) = (Counter(), Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await pool.withConnection { _ in
            came.add(1)
            let end = ContinuousClock.now + .seconds(5) * patience
            while came.value < count, ContinuousClock.now < end { usleep(1_000) }
            if came.value == count { met.add(1) }
          }
        }
      }
      try await group.waitForAll()
    }
    return met.value == count
  }

  @Test func questionsThatHangHoldNobodyElseUp() async throws {
    try await withServer(arePoolsApart: true) { rig in
      let ada = try await rig.account("ada")
      let asAda = try await rig.token(for: ada)
      let caller = try await rig.token(for: ada + 1)
      let refused = Counter()
      var asking: [Task<Void, Never>] = []
      try await withoutAnswers(rig) {
        for _ in 0..<40 {
          asking.append(
            Task {
              let end = await status { _ = try await rig.readings.listReadings(Self.much, metadata: caller) }
              if end?.errorInfo?.reason == "TOO_MANY_QUESTIONS" { refused.add(1) }
            })
        }
        try await eventually { rig.storage.questions.waitingCount == 32 && refused.value == 7 }
        // One hangs in the database for all of them.
        try await eventually { try hanging(rig) == 1 }
        #expect(try await rig.identity.getAccount(.init(), metadata: asAda).account?.accountID == ada)
        try await rig.record(ada, [(ServiceRig.now, 60)], source: "new")
        // A question of somebody else's has a turn although 32 came before it.
        let other = Task { _ = try await rig.readings.listReadings(Self.much, metadata: asAda) }
        try await eventually { try hanging(rig) == 2 }
        other.cancel()
      }
      for task in asking { await task.value }
      #expect(refused.value == 7)
    }
  }

  @Test func whatReadsLittleDoesNotWaitForWhatReadsMuch() async throws {
    try await withServer(arePoolsApart: true) { rig in
      let ada = try await rig.account("ada")
      let asAda = try await rig.token(for: ada)
      try await rig.record(ada, [(ServiceRig.now, 60)], source: "watch")
      let gate = Gate()
      let others = (1...2).map { number in
        Task { try await rig.storage.questions.run(for: .account(ada + Int64(number))) { try await gate.wait() } }
      }
      try await eventually { rig.storage.questions.runningCount == 2 }
      let status = try await rig.readings.getCurrentStatus(.init(), metadata: asAda)
      #expect(status.readings.map(\.value) == [.scalar(60)])
      #expect(try await rig.readings.listReadings(.init(pageSize: 1_000), metadata: asAda).readings.count == 1)
      let page = Task { try await rig.readings.listReadings(.init(pageSize: 1_001), metadata: asAda) }
      try await eventually { rig.storage.questions.waitingCount == 1 }
      gate.open()
      #expect(try await page.value.readings.count == 1)
      for other in others { try await other.value }
    }
  }
}
