import Domain
import Postgres
import ServiceAPI
import Synchronization
import Testing
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

@Suite("A-R23: results of a finished race", .timeLimit(.minutes(5))) struct ResultTests {
  @Test("They are folded once for all who ask, until a runner's late position, a decision or an erasure changes them")
  func kept() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2, 3])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      try await live.run(1, from: 1, to: 60)
      try await live.run(2, from: 1, to: 50)
      live.clock.time = LiveRig.starts + LiveRig.timeLimit + 10 * LiveRig.minute
      let storage = live.rig.storage
      let hub = DeliveryHub(tail: storage.tail, streams: Board())
      let results = RaceResults(storage: storage, hub: hub)
      @Sendable func ask(as asker: Asker = .server) async throws -> Trackme_Races_V1_Leaderboard {
        try await Asker.$current.withValue(asker) {
          let record = try #require(try await storage.races.race(live.race))
          return try await results.results(of: record, at: live.clock.time).leaderboard
        }
      }
      func folds() -> Int { results.folds.load(ordering: .relaxed) }
      func reach() async throws { try await hub.reach(storage.tail.head) }

      let first = try await withThrowingTaskGroup(of: Trackme_Races_V1_Leaderboard.self) { group in
        for account in 1...40 { group.addTask { try await ask(as: .account(AccountID(account % 20))) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(folds() == 1)
      let board = try #require(first.first)
      #expect(first.count == 40 && first.allSatisfy { $0 == board })
      #expect(board.rows.map(\.number) == [1, 2, 3])

      // What is of others, of another kind or of another time changes nothing.
      let stranger = live.organizer
      for (person, time) in [(stranger, 10), (live.runners[2], -10), (live.runners[2], 3_700)] {
        _ = try await live.rig.ingestClient.recordReadings(
          .init(readings: [
            .init(
              personID: person, metric: "position", timeUs: LiveRig.starts + Microseconds(time) * LiveRig.second,
              value: .position(.init(latitude: 45.471, longitude: 9.17, accuracy: 4)))
          ]), metadata: ServiceRig.asOperator)
      }
      _ = try await live.rig.ingestClient.recordReadings(
        .init(readings: [
          .init(
            personID: live.runners[2], metric: "heart_rate", timeUs: LiveRig.starts + LiveRig.second, value: .scalar(90)
          )
        ]), metadata: ServiceRig.asOperator)
      try await reach()
      #expect(try await ask() == board)
      #expect(folds() == 1)

      // The third runner's device had no network.
      try await live.run(3, from: 1, to: 80)
      try await reach()
      #expect(try await ask().rows.map(\.number) == [3, 1, 2])
      #expect(folds() == 2)

      try await live.decide(.disqualified, [3], reason: "a short cut")
      try await reach()
      #expect(try await ask().rows.first { $0.number == 3 }?.isGrey == true)
      #expect(folds() == 3)

      _ = try live.rig.connection().query(
        """
        WITH gone AS (DELETE FROM race_enrolment WHERE race = $1 AND number = 1)
        UPDATE race SET changed_in = pg_current_xact_id() WHERE id = $1
        """, [.int8(live.race)])
      #expect(try await ask().rows.map(\.number) == [2, 3])
      #expect(try await ask().rows.map(\.number) == [2, 3])
      #expect(folds() == 4)
    }
  }
}
