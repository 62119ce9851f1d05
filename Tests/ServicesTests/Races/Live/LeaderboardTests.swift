import Domain
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

@Suite("Leaderboards and results") struct LeaderboardTests {
  /// What another server makes of the same log.
  private func another(_ live: LiveRig, _ body: (LiveRaces, DeliveryHub) async throws -> Void) async throws {
    let hub = DeliveryHub(tail: live.rig.storage.tail, streams: Board())
    let races = LiveRaces(
      storage: live.rig.storage, hub: hub, desk: nil, exertionsChanged: {}, told: {}, tick: .milliseconds(2),
      clock: { live.clock.time })
    let running = Task { await races.run() }
    try await races.refresh()
    do {
      try await body(races, hub)
    } catch {
      running.cancel()
      await running.value
      throw error
    }
    running.cancel()
    await running.value
  }

  @Test("A race that is followed again from the log has the same board") func restart() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2, 3])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      try await live.run(1, from: 1, to: 60)
      try await live.run(2, from: 1, to: 60, speed: 5)
      try await live.decide(.disqualified, [3])
      try await live.eventuallyShows { $0.rows.contains { $0.status == .disqualified } }
      let before = try await live.leaderboard()
      for isCompacted in [false, true] {
        if isCompacted { try await live.rig.storage.compactor.compactEverything() }
        try await another(live) { races, _ in
          try await eventually { races.race(live.race)?.board.leaderboard() != nil }
          let after = races.race(live.race)?.board.leaderboard()
          #expect(after?.rows == before.rows)
          #expect(after?.cursor == before.cursor)
        }
      }
    }
  }

  @Test("At a cursor the leaderboard is what was shown then, byte for byte, after a restart and after compaction")
  func atACursor() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2, 3])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      var known: [Trackme_Races_V1_Leaderboard] = [try await live.leaderboard()]
      for step in 0..<4 {
        let from = 1 + step * 30
        try await live.run(1, from: from, to: from + 29, since: Double(step * 120))
        try await live.run(2, from: from, to: from + 29, speed: 3, since: Double(step * 90))
        if step == 1 { try await live.decide(.disqualified, [1]) }
        if step == 2 { try await live.decide(.reinstated, [1]) }
        try await live.eventuallyShows {
          $0.rows.allSatisfy { $0.number == 3 || ($0.fixAgeMs >= 0 && $0.fixAgeMs < 1_000) }
        }
        known.append(try await live.leaderboard())
      }
      #expect(Set(known.map(\.cursor)).count == known.count)
      for isCompacted in [false, true] {
        if isCompacted { try await live.rig.storage.compactor.compactEverything() }
        for shown in known {
          let again = try await live.leaderboard(.cursor(shown.cursor))
          #expect(bytes(again) == bytes(shown), "compacted: \(isCompacted)")
        }
      }
      // A frame's cursor too.
      let stream = try await live.watch()
      let frame = try #require(try await stream.next())
      stream.cancel()
      guard case .snapshot(let snapshot) = frame.frame else { throw WaitedInVain() }
      #expect(try await live.leaderboard(.cursor(frame.cursor)) == snapshot.leaderboard)
    }
  }

  private func bytes(_ board: Trackme_Races_V1_Leaderboard) -> [UInt8] {
    Trackme_Races_V1_GetLeaderboardResponse(leaderboard: board).encodedMessage().bytes
  }

  @Test("At a cursor from before a postponement the race has the dates that it had then, and no position shows")
  func beforeAPostponement() async throws {
    try await withRace { live in
      let closed = try await live.leaderboard()
      #expect(closed.state == .enrolmentClosed)
      #expect(closed.rows.count == 3)
      _ = try live.rig.connection().query(
        """
        UPDATE race SET starts_at = starts_at + interval '1 hour', enrolment_ends_at = enrolment_ends_at + interval '1 hour',
          changed_in = pg_current_xact_id()
        """)
      try await live.rig.races.refresh()
      let open = try await live.leaderboard(.cursor(closed.cursor))
      #expect(open.rows.isEmpty, "the runners are those of the new deadline")
      // A cursor that nobody was given: with a start that the race never had, in the past.
      live.clock.time = LiveRig.starts + 70 * LiveRig.minute
      try await live.decide(.present, [1])
      try await live.run(1, from: 3_600, to: 3_660)
      let forged = BoardCursor(
        race: live.race, position: live.rig.hub.head, time: LiveRig.starts + 3_700 * LiveRig.second,
        starts: LiveRig.starts - 60 * LiveRig.minute)
      let board = try await live.leaderboard(.cursor(forged.text(live.rig.seal)))
      #expect(board.rows == (try await live.leaderboard(.time(.init(forged.time)))).rows)
    }
  }

  @Test("At a time the leaderboard is what is known now about it, whenever the positions came")
  func atATime() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      try await live.run(1, from: 1, to: 100)
      // The second phone had no connection, and sends everything later.
      live.clock.time = LiveRig.starts + 200 * LiveRig.second
      let time = LiveRig.starts + 60 * LiveRig.second
      let before = try await live.leaderboard(.time(.init(time)))
      #expect(before.rows.first { $0.number == 2 }?.status == .notSeen)
      try await live.run(2, from: 1, to: 100, speed: 5)
      let after = try await live.leaderboard(.time(.init(time)))
      let second = try #require(after.rows.first { $0.number == 2 })
      #expect(second.rank == 1)
      #expect(abs(second.markerM - 295) < 15)
      #expect(abs(try #require(after.rows.first { $0.number == 1 }).markerM - 236) < 15)
      #expect(await fields { _ = try await live.leaderboard(.time(.init(live.clock.time + 1_000_000))) } == ["time"])
    }
  }

  @Test("Results of a finished race hold the corrections with their authors; of an erased one the name is empty")
  func results() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2, 3])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      try await live.run(1, from: 1, to: 300)
      try await live.run(2, from: 1, to: 250, speed: 5)
      let running = await status {
        _ = try await live.live.getResults(.init(raceID: live.race), metadata: live.stranger)
      }
      #expect(running?.code == .failedPrecondition)
      try await live.decide(.raceFinished)
      live.clock.time += LiveRig.minute
      try await live.decide(.finishTime, [1], finishTime: 200 * LiveRig.second, reason: "a gate was open late")
      try await live.decide(.disqualified, [2], reason: "a short cut")
      let results = try await live.live.getResults(.init(raceID: live.race), metadata: live.stranger)
      let first = try #require(results.leaderboard?.rows.first)
      #expect(first.number == 1)
      #expect(first.finishTimeMs == 200_000)
      #expect(first.isCorrected)
      #expect(results.leaderboard?.rows.first { $0.number == 2 }?.isGrey == true)
      #expect(results.changes.map(\.kind) == [.finishTime, .disqualified])
      #expect(results.changes.map(\.reason) == ["a gate was open late", "a short cut"])
      #expect(results.changes.first?.finishTime?.seconds == 200)
      #expect(results.changes.first?.author?.username == "organizer")
      _ = try live.rig.connection().query("UPDATE account SET state = 'erased' WHERE id = $1", [.int8(live.organizer)])
      let later = try await live.live.getResults(.init(raceID: live.race), metadata: live.stranger)
      #expect(later.changes.map(\.author?.username) == ["", ""])
    }
  }
}
