import Domain
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

@Suite("Races that an administrator disables", .timeLimit(.minutes(5))) struct DisableRaceTests {
  @Test("Nothing of a disabled race is built, shown or followed; enabled again, it is what it was")
  func liveRace() async throws {
    try await withRace { live in
      let (rig, race) = (live.rig, live.race)
      let administrator = try await rig.administrator()
      let organizer = try await rig.token(for: live.organizer)
      let runner = try await rig.token(for: live.runners[0])
      try await live.decide(.present, [1, 2, 3])
      live.clock.time = LiveRig.starts + LiveRig.second
      try await rig.races.refresh()
      try await live.run(1, from: 1, to: 30)
      try await eventually {
        try await rig.races.refresh()
        return try await rig.storage.sos.exerting(in: race).contains(live.runners[0])
      }
      try await live.eventuallyShows { $0.rows.contains { $0.markerM > 100 } }
      let before = try await live.leaderboard()
      let stream = try await live.watch()

      _ = try await rig.admin.disableRace(
        .init(raceID: race, reason: "It is no race."), metadata: administrator)
      #expect(try await rig.storage.sos.exerting(in: race).isEmpty)
      try await rig.races.refresh()
      #expect(rig.races.raceCount == 0)
      #expect(await status { while try await stream.next() != nil {} }?.errorInfo?.reason == "NO_RACE")
      let asked: [(String, (Metadata) async throws -> Void)] = [
        ("WatchRace", { _ = try await live.watch(as: $0).next() }),
        ("GetLeaderboard", { _ = try await live.live.getLeaderboard(.init(raceID: race), metadata: $0) }),
        (
          "GetLeaderboard of then",
          {
            _ = try await live.live.getLeaderboard(
              .init(raceID: race, moment: .cursor(before.cursor)), metadata: $0)
          }
        ),
        ("GetResults", { _ = try await live.live.getResults(.init(raceID: race), metadata: $0) }),
        (
          "ExportRun",
          {
            let run = try await rig.raceClient.exportRun(.init(raceID: race), metadata: $0)
            while try await run.next() != nil {}
          }
        ),
      ]
      for (name, ask) in asked {
        for caller in [live.stranger, runner] {
          let answer = await status { try await ask(caller) }
          #expect(answer?.code == .notFound && answer?.errorInfo?.reason == "NO_RACE", "\(name)")
        }
        // Who organises it may know why; a run is a runner's.
        let answer = await status { try await ask(organizer) }
        #expect(answer?.errorInfo?.reason == (name == "ExportRun" ? "NOT_ENROLLED" : "RACE_STATE"), "\(name)")
      }
      // Who does both is not shown the run either.
      let both = [Parameter.int8(race), .int8(live.runners[0])]
      _ = try rig.connection().query("INSERT INTO race_organizer (race, account) VALUES ($1, $2)", both)
      #expect(
        await status {
          let run = try await rig.raceClient.exportRun(.init(raceID: race), metadata: runner)
          while try await run.next() != nil {}
        }?.errorInfo?.reason == "RACE_STATE")
      _ = try rig.connection().query("DELETE FROM race_organizer WHERE race = $1 AND account = $2", both)
      for caller in [live.stranger, runner] {
        #expect(
          await status { _ = try await rig.raceClient.getRace(.init(raceID: race), metadata: caller) }?.code
            == .notFound)
        #expect(
          await status { _ = try await rig.raceClient.enrol(.init(raceID: race), metadata: caller) }?.code
            == (caller == runner ? nil : .notFound))
        #expect(try await rig.raceClient.listRaces(.init(), metadata: caller).races.isEmpty)
        #expect(
          try await rig.raceClient.searchRaces(
            .init(text: "Corsa", from: .init(LiveRig.starts - 1)), metadata: caller
          ).races.isEmpty)
      }
      #expect(
        await status { _ = try await rig.raceClient.withdraw(.init(raceID: race), metadata: runner) }?.errorInfo?.reason
          == "NO_RACE")
      let seen = try #require(try await rig.raceClient.getRace(.init(raceID: race), metadata: organizer).race)
      #expect(seen.state == .disabled && seen.course == nil)
      let listed = try await rig.raceClient.listRaces(.init(), metadata: organizer).races
      #expect(listed.map(\.state) == [.disabled] && listed.first?.course == nil)
      // Whoever wants it after a restart.
      try await rig.races.refresh()
      #expect(rig.races.raceCount == 0)
      #expect(try await RaceEdition.load(race, from: rig.storage, at: live.clock.time) == nil)

      _ = try await rig.admin.enableRace(.init(raceID: race, reason: "It is one."), metadata: administrator)
      try await rig.races.refresh()
      #expect(rig.races.raceCount == 1)
      let then = try await live.leaderboard(.cursor(before.cursor))
      #expect(then.rows == before.rows)
      try await eventually {
        try await rig.races.refresh()
        return try await rig.storage.sos.exerting(in: race).contains(live.runners[0])
      }
      let spectator = try await live.watch()
      #expect(try await spectator.next() != nil)
      spectator.cancel()
    }
  }

  @Test("The organisers alone are told, once each time, with the reason; the record says who decided and why")
  func told() async throws {
    try await withServer { rig in
      let (ada, runner) = (try await rig.party("ada"), try await rig.party("runner"))
      let administrator = try await rig.administrator()
      let race = try await rig.race(by: ada, in: .enrolmentOpen, runners: [runner])
      for _ in 0..<2 {
        _ = try await rig.admin.disableRace(.init(raceID: race, reason: "A track to and fro."), metadata: administrator)
      }
      let known = try await rig.raceClient.getRace(.init(raceID: race), metadata: ada.caller).race
      #expect(known?.state == .disabled)
      // Who runs is no business of theirs meanwhile.
      #expect(
        await reason { _ = try await rig.raceClient.listEnrolments(.init(raceID: race), metadata: ada.caller) }
          == "RACE_STATE")
      #expect(
        await reason { _ = try await rig.raceClient.revokeInvitations(.init(raceID: race), metadata: ada.caller) }
          == "RACE_STATE")
      for _ in 0..<2 {
        _ = try await rig.admin.enableRace(.init(raceID: race, reason: "A mistake."), metadata: administrator)
      }
      let news = try await rig.told(ada, race)
      #expect(news.map(\.kind) == [.raceDisabled, .raceEnabled])
      #expect(news.first?.text.contains("A track to and fro.") == true)
      #expect(news.last?.text.contains("A mistake.") == true)
      #expect(try await rig.told(runner, race).isEmpty)
      let again = try await rig.raceClient.getRace(.init(raceID: race), metadata: runner.caller).race
      #expect(again?.state == .enrolmentOpen)
      let record = try rig.connection().query(
        """
        SELECT string_agg(d.is_disabled || ' ' || d.reason || ' ' || a.username, ', ' ORDER BY d.id)
        FROM race_disabling d JOIN account a ON a.id = d.decided_by WHERE race = $1
        """, [.int8(race)])
      #expect(try record.string(0, 0) == "true A track to and fro. root, false A mistake. root")
    }
  }

  @Test("A race that is none, no reason and too long a one are refused by the name of the field")
  func refused() async throws {
    try await withServer { rig in
      let administrator = try await rig.administrator()
      #expect(
        await fields { _ = try await rig.admin.disableRace(.init(), metadata: administrator) } == ["race_id", "reason"])
      let long = String(repeating: "x", count: 501)
      #expect(
        await fields { _ = try await rig.admin.enableRace(.init(raceID: 1, reason: long), metadata: administrator) }
          == ["reason"])
      let missing = await status {
        _ = try await rig.admin.disableRace(.init(raceID: 1, reason: "x"), metadata: administrator)
      }
      #expect(missing?.code == .notFound && missing?.errorInfo?.reason == "NO_RACE")
    }
  }
}
