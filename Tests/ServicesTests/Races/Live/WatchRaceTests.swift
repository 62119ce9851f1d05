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

@Suite("WatchRace") struct WatchRaceTests {
  @Test("A-R23: a snapshot with the course, then deltas with numbers and places, names and ranks of the first")
  func snapshotThenDeltas() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2, 3])
      live.clock.time = LiveRig.starts
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      #expect(seen.race?.course?.latitudes.count == 2)
      #expect(seen.race?.name == "Corsa")
      try await live.run(1, from: 1, to: 60, speed: 4)
      try await live.run(2, from: 1, to: 60, speed: 5)
      try await seen.read(stream) { ($0.rows[2]?.markerM ?? 0) > 250 && ($0.rows[1]?.markerM ?? 0) > 200 }
      #expect(seen.snapshots == 1, "what follows are differences")
      #expect(seen.leaders.prefix(2) == [2, 1])
      #expect(seen.rows[2]?.name == "Runner 2")
      stream.cancel()
    }
  }

  @Test(
    "A race whose stored course is none by the rules of today is not followed: its streams end", .timeLimit(.minutes(5))
  )
  func withoutCourse() async throws {
    try await withRace { live in
      try live.rig.connection().query("UPDATE course SET latitudes = '{45.47, 45.97}'")
      live.clock.time = LiveRig.starts
      let stream = try await live.watch()
      let ended = await status { while try await stream.next() != nil {} }
      #expect(ended?.code == .notFound && ended?.errorInfo?.reason == "NO_RACE")
      let asked = await status {
        _ = try await live.live.getLeaderboard(.init(raceID: live.race), metadata: live.stranger)
      }
      #expect(asked?.errorInfo?.reason == "NO_RACE")
    }
  }

  @Test("A frame is encoded once for all spectators, and each gets at most one in ten ticks")
  func encodedOnce() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2, 3])
      live.clock.time = LiveRig.starts
      var streams: [ResponseStream<Trackme_Races_V1_WatchRaceResponse>] = []
      var seen: [Spectacle] = []
      for _ in 0..<40 { streams.append(try await live.watch()) }
      for stream in streams {
        var spectacle = Spectacle()
        try await spectacle.read(stream) { $0.snapshots == 1 }
        seen.append(spectacle)
      }
      let before = (live.rig.races.count.encoded, live.rig.races.count.sent)
      try await live.run(1, from: 1, to: 30)
      for index in streams.indices {
        try await seen[index].read(streams[index]) { ($0.rows[1]?.markerM ?? 0) > 100 }
        #expect(seen[index].snapshots == 1)
      }
      let encoded = live.rig.races.count.encoded - before.0
      let sent = live.rig.races.count.sent - before.1
      #expect(sent >= 40)
      // One for each phase, and for those whose last frame was not of their phase's last turn.
      #expect(encoded <= 2 * Audience.phases * (1 + sent / 40), "\(encoded) frames were encoded for \(sent) sent")
      #expect(live.rig.races.count.encoded <= live.rig.races.count.due)
      for stream in streams { stream.cancel() }
    }
  }

  @Test("A stream goes on after a cursor; one of another race or none is INVALID_ARGUMENT")
  func resume() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2])
      live.clock.time = LiveRig.starts
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      try await live.run(1, from: 1, to: 30)
      try await seen.read(stream) { ($0.rows[1]?.markerM ?? 0) > 100 }
      stream.cancel()
      // Somebody else goes on watching; the race goes on.
      try await live.run(1, from: 31, to: 60, since: 120)
      let again = try await live.watch(cursor: seen.cursor)
      try await seen.read(again) { ($0.rows[1]?.markerM ?? 0) > 220 }
      #expect(seen.snapshots == 1, "what was missed is told as a difference")
      again.cancel()

      let elsewhere = BoardCursor(race: live.race + 1, position: 1, time: 1, starts: 1).text(live.rig.seal)
      for cursor in ["x", "r1.0.0.0.0", "1.5", elsewhere] {
        #expect(await fields { _ = try await live.watch(cursor: cursor).next() } == ["cursor"], "\(cursor)")
      }
      let unknown = BoardCursor(
        race: live.race, position: 1, time: LiveRig.starts + 7, starts: LiveRig.starts
      ).text(live.rig.seal)
      let anew = try await live.watch(cursor: unknown)
      var fresh = Spectacle()
      try await fresh.read(anew) { $0.snapshots == 1 }
      anew.cancel()
    }
  }

  @Test("Heartbeats come while nothing changes")
  func heartbeats() async throws {
    try await withRace { live in
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      live.rig.house.beat(ifWaitingSince: .now)
      try await seen.read(stream) { $0.heartbeats == 1 }
      #expect(seen.deltas == 0)
      stream.cancel()
    }
  }

  @Test("Before the deadline the board is empty; then all stand at the start; a start that is moved empties it again")
  func beforeTheStart() async throws {
    try await withRace { live in
      live.clock.time = LiveRig.starts - 90 * LiveRig.minute
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      #expect(seen.state == .enrolmentOpen)
      #expect(seen.rows.isEmpty)
      live.clock.time = LiveRig.starts - 30 * LiveRig.minute
      try await live.rig.races.refresh()
      try await seen.read(stream) { $0.state == .enrolmentClosed && $0.rows.count == 3 }
      #expect(seen.rows.values.allSatisfy { $0.markerM == 0 && $0.status == .enrolled })
      _ = try live.rig.connection().query(
        """
        UPDATE race SET starts_at = starts_at + interval '1 day', enrolment_ends_at = enrolment_ends_at + interval '1 day',
          changed_in = pg_current_xact_id()
        """)
      try await live.rig.races.refresh()
      try await seen.read(stream) { $0.state == .enrolmentOpen && $0.rows.isEmpty }
      #expect(seen.race?.starts?.seconds == LiveRig.starts / LiveRig.second + 86_400)
      stream.cancel()
    }
  }

  @Test("A-R19.1: a cancellation is seen in a frame; after the race the stream ends, and a later one has its end alone")
  func ends() async throws {
    try await withRace { live in
      try await live.decide(.present, [1])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      try await live.run(1, from: 1, to: 300)
      try await seen.read(stream) { $0.rows[1]?.status == .finished }
      try await live.decide(.raceFinished)
      try await seen.read(stream) { $0.state == .finished }
      live.clock.time += LiveRaces.linger + LiveRig.minute
      try await live.rig.races.refresh()
      while let frame = try await stream.next() { seen.take(frame) }
      #expect(seen.rows[2]?.status == .absent)
      try await live.rig.races.refresh()
      try await eventually { live.rig.races.raceCount == 0 }

      let later = try await live.watch()
      var end = Spectacle()
      while let frame = try await later.next() { end.take(frame) }
      #expect(end.snapshots == 1)
      #expect(end.state == .finished)
      #expect(end.rows[1]?.finishTimeMs == seen.rows[1]?.finishTimeMs)
    }
    try await withRace("cancelled race") { live in
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      try await live.decide(.raceCancelled)
      try await seen.read(stream) { $0.state == .cancelled }
      stream.cancel()
    }
  }

  @Test("A race by invitation is seen by its people alone; a draft by its organisers")
  func visibility() async throws {
    try await withRace(byInvitation: true) { live in
      let refused = await status { _ = try await live.watch().next() }
      #expect(refused?.code == .notFound)
      for person in [live.organizer, live.runners[0]] {
        let stream = try await live.watch(as: try await live.rig.token(for: person))
        var seen = Spectacle()
        try await seen.read(stream) { $0.snapshots == 1 }
        stream.cancel()
      }
      #expect(await status { _ = try await live.leaderboard() }?.code == .notFound)
    }
  }

  @Test("A server that ends says so") func shutdown() async throws {
    try await withRace { live in
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      live.rig.house.drain()
      let end = await status { while try await stream.next() != nil {} }
      #expect(end?.code == .unavailable)
      #expect(await status { _ = try await live.watch().next() }?.code == .unavailable)
    }
  }
}
