import Domain
import RPCRuntime
import ServiceAPI
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

@Suite("Markers over the wire") struct MarkerTests {
  @Test("A-R24: a marker is there for the enrolled who are present, report and are not disqualified")
  func markers() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      // The first reports; the second is present and silent; the third reports and is not present.
      try await live.run(1, from: 1, to: 60)
      try await live.run(3, from: 1, to: 60)
      try await seen.read(stream) { ($0.rows[1]?.markerM ?? 0) > 200 }
      #expect(seen.rows[1]?.hasMarker == true)
      #expect(seen.rows[2]?.hasMarker == false)
      #expect(seen.rows[2]?.status == .notSeen)
      #expect(seen.rows[3]?.hasMarker == false)
      #expect(seen.rows[3]?.status == .absent)
      // A late comer.
      try await live.decide(.present, [3])
      try await live.run(3, from: 61, to: 90, since: 240)
      try await seen.read(stream) { $0.rows[3]?.hasMarker == true }

      let last = try #require(seen.rows[1]?.markerM)
      try await live.decide(.disqualified, [1])
      try await seen.read(stream) { $0.rows[1]?.status == .disqualified }
      try await live.run(1, from: 61, to: 120, since: 240)
      try await live.run(3, from: 91, to: 120, since: 360)
      try await seen.read(stream) { ($0.rows[3]?.markerM ?? 0) > 450 }
      #expect(seen.rows[1]?.isGrey == true)
      #expect(seen.rows[1]?.rank == 0)
      #expect(abs((seen.rows[1]?.markerM ?? 0) - last) < 1, "the marker stays where it was")

      try await live.decide(.reinstated, [1])
      try await seen.read(stream) { $0.rows[1]?.status == .running && $0.rows[1]?.hasMarker == true }
      #expect(seen.rows[1]?.isGrey == false)
      stream.cancel()
    }
  }

  @Test(
    "A-R26: a device that fails leaves the marker at the last good position; organisers correct the order afterwards")
  func failingDevice() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2])
      live.clock.time = LiveRig.starts
      try await live.rig.races.refresh()
      let stream = try await live.watch()
      var seen = Spectacle()
      try await seen.read(stream) { $0.snapshots == 1 }
      try await live.run(1, from: 1, to: 60, speed: 5)
      try await seen.read(stream) { ($0.rows[1]?.markerM ?? 0) > 280 }
      let last = try #require(seen.rows[1]?.markerM)
      try await live.run(2, from: 1, to: 320)
      try await seen.read(stream) { $0.rows[1]?.status == .noSignal && $0.rows[2]?.status == .finished }
      #expect(abs((seen.rows[1]?.markerM ?? 0) - last) < 1)
      #expect(seen.leaders.first == 2)
      try await live.decide(.finishTime, [1], finishTime: 230 * LiveRig.second)
      try await seen.read(stream) { $0.leaders.first == 1 }
      #expect(seen.rows[1]?.finishTimeMs == 230_000)
      #expect(seen.rows[1]?.isCorrected == true)
      try await live.decide(.asMeasured, [1])
      try await seen.read(stream) { $0.leaders.first == 2 && $0.rows[1]?.isCorrected == false }
      stream.cancel()
    }
  }

  @Test("A-R23: nothing outside of the race's time and course shows, and no reading but positions")
  func nothingElse() async throws {
    try await withRace { live in
      try await live.decide(.present, [1, 2])
      try await live.rig.races.refresh()
      // At home, before the start; then a pulse.
      live.clock.time = LiveRig.starts - LiveRig.minute
      let home = Trackme_Readings_V1_Reading(
        personID: live.runners[0], metric: "position", timeUs: live.clock.time,
        value: .position(.init(latitude: 45.475, longitude: 9.17, accuracy: 4)))
      let pulse = Trackme_Readings_V1_Reading(
        personID: live.runners[0], metric: "heart_rate", timeUs: live.clock.time, value: .scalar(61.5))
      _ = try await live.rig.ingestClient.recordReadings(
        .init(readings: [home, pulse]), metadata: ServiceRig.asOperator)
      try await live.run(2, from: 1, to: 30)
      try await live.eventuallyShows { $0.rows.contains { $0.number == 2 && $0.status == .running } }
      let board = try await live.leaderboard()
      let first = try #require(board.rows.first { $0.number == 1 })
      #expect(first.status == .notSeen)
      #expect(first.markerM == 0)
      #expect(first.fixAgeMs == -1)
    }
  }
}
