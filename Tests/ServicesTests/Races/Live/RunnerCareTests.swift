import Domain
import Emergencies
import Postgres
import RPCRuntime
import ServiceAPI
import SosRules
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

@Suite("Runners and AutomatedSOS") struct RunnerCareTests {
  private func exertions(_ live: LiveRig, _ number: Int) async throws -> [Range<Microseconds>] {
    try await live.rig.storage.sos.exertions(
      of: live.runners[number - 1], touching: LiveRig.starts..<live.clock.time + 1)
  }

  @Test("A race declares exertion for those who run, until they finish, stop or are disqualified; their own stays")
  func exertion() async throws {
    try await withRace { live in
      let own = LiveRig.starts + 1..<LiveRig.starts + 2 * LiveRig.minute
      _ = try await live.rig.storage.sos.declare(own, for: live.runners[0], requestID: "mine", at: live.clock.time)
      try await live.decide(.present, [1, 2])
      live.clock.time = LiveRig.starts + LiveRig.second
      try await live.rig.races.refresh()
      try await live.run(1, from: 1, to: 30)
      try await live.run(2, from: 1, to: 30)
      try await eventuallyExerting([1, 2], live)
      #expect(try await exertions(live, 1).count == 2)
      #expect(try await exertions(live, 2).map(\.lowerBound) == [LiveRig.starts])
      #expect(try await exertions(live, 3).isEmpty, "is not present")
      // The evaluator has it at once.
      #expect(live.rig.monitor[live.runners[1]]?.exertions.first?.lowerBound == LiveRig.starts)

      // A late comer; and one who finishes.
      try await live.decide(.present, [3])
      try await live.run(1, from: 31, to: 300, since: 120)
      try await live.run(3, from: 290, to: 300)
      try await live.decide(.disqualified, [2])
      try await eventuallyExerting([3], live)
      #expect(try await exertions(live, 1).map(\.upperBound).sorted() == [own.upperBound, live.clock.time])
      #expect(try await exertions(live, 2).map(\.upperBound) == [live.clock.time])
      #expect(try await exertions(live, 3).map(\.upperBound) == [LiveRig.starts + LiveRig.timeLimit])
      #expect(try await live.rig.storage.sos.exerting(in: live.race) == [live.runners[2]])

      // Whoever has not moved on for a quarter of an hour has stopped.
      live.clock.time += 16 * LiveRig.minute
      try await live.rig.races.refresh()
      #expect(try await live.rig.storage.sos.exerting(in: live.race).isEmpty)
      #expect(try await exertions(live, 3).map(\.upperBound) == [live.clock.time])
    }
  }

  @Test("Exertion outlives the server that declared it, and ends with the race") func exertionOutlivesServers()
    async throws
  {
    try await withRace { live in
      try await live.decide(.present, [1, 2])
      live.clock.time = LiveRig.starts + LiveRig.second
      try await live.run(1, from: 1, to: 30)
      try await eventuallyExerting([1, 2], live)
      let hub = DeliveryHub(tail: live.rig.storage.tail, streams: Board())
      let races = LiveRaces(
        storage: live.rig.storage, hub: hub, desk: nil, exertionsChanged: {}, told: {}, tick: .milliseconds(2),
        clock: { live.clock.time })
      let running = Task { await races.run() }
      try await races.refresh()
      try await eventually { races.race(live.race)?.board.leaderboard() != nil }
      try await races.refresh()
      #expect(try await exertions(live, 1).count == 1, "it is declared once")
      try await live.decide(.raceFinished)
      live.clock.time += LiveRig.second
      try await eventually {
        try await races.refresh()
        return try await live.rig.storage.sos.exerting(in: live.race).isEmpty
      }
      running.cancel()
      await running.value
    }
  }

  /// Refreshes until the race's exertions are those of some runners.
  private func eventuallyExerting(_ numbers: [Int], _ live: LiveRig) async throws {
    let persons = Set(numbers.map { live.runners[$0 - 1] })
    try await eventually {
      try await live.rig.races.refresh()
      return try await live.rig.storage.sos.exerting(in: live.race) == persons
    }
  }

  private func inbox(_ live: LiveRig, of account: AccountID) async throws -> [Announcement] {
    try await live.rig.storage.notifications.list(of: account, unreadOnly: false, before: .max, limit: 50)
      .entries.map(\.announcement).filter { $0.kind == 25 || $0.kind == 26 }.reversed()
  }

  @Test(
    "A runner's emergency tells the organisers number, name, kilometre and nearest stage, once, and nothing medical")
  func organisersAreTold() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      try await live.run(1, from: 1, to: 130)
      try await eventually {
        let shown = live.rig.races.race(live.race)?.board.leaderboard()
        return shown?.rows.contains { $0.number == 1 && $0.markerM > 500 } ?? false
      }
      let emergency = Emergency.sample(live.runners[0], at: live.clock.time)
      live.rig.desk.put(emergency)
      live.rig.desk.put(emergency.then(.dispatching, at: live.clock.time + 1))
      try await eventually { try await !inbox(live, of: live.organizer).isEmpty }
      let told = try #require(try await inbox(live, of: live.organizer).first)
      #expect(told.kind == 25)
      #expect(told.facts["number"] == "1")
      #expect(told.facts["km"] == "0.5")
      #expect(told.facts["place"] == "Arena")
      #expect(Set(told.facts.keys) == ["race", "name", "number", "km", "place"])
      #expect(
        try live.rig.connection().query(
          "SELECT count(*) FROM email_queue WHERE account = $1 AND kind = 25", [.int8(live.organizer)]
        ).int64(0, 0) == 1)

      live.rig.desk.put(emergency.then(.resolved, at: live.clock.time + 2))
      try await eventually { try await inbox(live, of: live.organizer).map(\.kind) == [25, 26] }
      // Another server, or this one after a crash, finds that they know.
      let runner = try #require(
        try await live.rig.storage.races.running(live.runners[0], at: emergency.detected).first)
      #expect(
        try await !live.rig.storage.races.tellOrganizers(
          of: emergency.id, runner: runner, isOver: false, distance: 1, place: ""))
      #expect(try await inbox(live, of: live.organizer).count == 2)

      // Of somebody who does not run here they hear nothing, and spectators never.
      live.rig.desk.put(.sample(live.runners[2], at: live.clock.time))
      live.rig.desk.put(.sample(live.runners[1], at: live.clock.time))
      try await eventually { try await inbox(live, of: live.organizer).count == 3 }
      #expect(try await inbox(live, of: live.organizer).last?.facts["number"] == "2")
      let board = try await live.leaderboard()
      #expect(board.rows.first { $0.number == 1 }?.status == .running)
    }
  }
}
