import Domain
import Postgres
import RacesRules
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

@Suite(.timeLimit(.minutes(5))) struct ChangeCourseTests {
  /// The plan of a race as it stands, to be changed.
  private func plan(_ race: Trackme_Races_V1_Race) -> Trackme_Races_V1_RacePlan {
    .init(
      name: race.name, description: race.description, placeName: race.placeName, starts: race.starts,
      enrolmentEnds: race.enrolmentEnds, timeLimit: race.timeLimit, byInvitation: race.byInvitation,
      capacity: race.capacity, fee: race.fee)
  }

  @Test("A-R16, A-R19.1: while enrolment is open dates and course change, and everyone is told the old and the new")
  func change() async throws {
    try await withServer { rig in
      let (ada, runner, observer, stranger) = (
        try await rig.party("ada"), try await rig.party("runner"), try await rig.party("observer"),
        try await rig.party("stranger")
      )
      let id = try await rig.race(by: ada, in: .enrolmentOpen, runners: [runner])
      _ = try await rig.raceClient.observeRace(.init(raceID: id), metadata: observer.caller)
      let race = try #require(try await rig.raceClient.getRace(.init(raceID: id), metadata: ada.caller).race)
      var wanted = plan(race)
      wanted.starts = .init(ServiceRig.now + 3 * ServiceRig.hour)
      wanted.enrolmentEnds = .init(ServiceRig.now + 2 * ServiceRig.hour)
      wanted.timeLimit = .init(seconds: 3_600, nanos: 0)
      let course = try Course(
        source: .straight, latitudes: [45.47, 45.49], longitudes: [9.17, 9.17],
        start: Place(latitude: 45.47, longitude: 9.17, name: "Castello"),
        arrival: Place(latitude: 45.49, longitude: 9.17, name: "Ghisolfa"))
      wanted.routeID = try #require(try await rig.storage.courses.insert(course, plannedBy: ada.id))
      wanted.description = "Longer"
      let request = Trackme_Races_V1_UpdateRaceRequest(raceID: id, plan: wanted, etag: race.etag)
      #expect(
        await reason { _ = try await rig.raceClient.updateRace(request, metadata: stranger.caller) } == "NOT_ORGANIZER")
      let changed = try #require(try await rig.raceClient.updateRace(request, metadata: ada.caller).race)
      #expect(changed.starts == wanted.starts && changed.enrolmentEnds == wanted.enrolmentEnds)
      #expect(changed.timeLimit == wanted.timeLimit && changed.description == "Longer")
      #expect(changed.course?.arrival?.name == "Ghisolfa" && changed.course?.latitudes == [45.47, 45.49])
      #expect(changed.etag != race.etag && changed.enrolledCount == 1)
      #expect(await reason { _ = try await rig.raceClient.updateRace(request, metadata: ada.caller) } == "STALE_ETAG")
      for party in [ada, runner, observer] {
        let told = try await rig.told(party, id)
        #expect(told.map(\.kind) == [.raceChanged], "\(party.name)")
        let text = told.first?.text ?? ""
        #expect(text.contains("The start is 2023-11-15 01:13 UTC; it was 2023-11-15 00:13 UTC."))
        #expect(text.contains("The deadline of enrolment is 2023-11-15 00:13 UTC; it was 2023-11-14 23:13 UTC."))
        #expect(text.contains("The time limit is 1 h; it was 6 h."))
        #expect(
          text.contains("The course is now 2.2 km from Castello to Ghisolfa; it was 1.1 km from Castello to Arco."))
      }
      // Texts alone are no news.
      wanted = plan(changed)
      wanted.description = "Much longer"
      _ = try await rig.raceClient.updateRace(
        .init(raceID: id, plan: wanted, etag: changed.etag), metadata: ada.caller)
      #expect(try await rig.told(runner, id).count == 1)
    }
  }

  @Test("A-R16: new dates must lie in the future and in order, and a new course be the organiser's own route of today")
  func violations() async throws {
    try await withServer { rig in
      let (ada, bea) = (try await rig.party("ada"), try await rig.party("bea"))
      let id = try await rig.race(by: ada, in: .enrolmentOpen)
      let race = try #require(try await rig.raceClient.getRace(.init(raceID: id), metadata: ada.caller).race)
      func refused(_ change: (inout Trackme_Races_V1_RacePlan) -> Void) async -> [String] {
        var wanted = plan(race)
        change(&wanted)
        return await fields {
          _ = try await rig.raceClient.updateRace(
            .init(raceID: id, plan: wanted, etag: race.etag), metadata: ada.caller)
        }
      }
      #expect(await refused { $0.enrolmentEnds = .init(ServiceRig.now) } == ["plan.enrolment_ends"])
      #expect(await refused { $0.enrolmentEnds = $0.starts } == ["plan.enrolment_ends"])
      #expect(
        await refused {
          $0.starts = .init(ServiceRig.now)
          $0.enrolmentEnds = .init(ServiceRig.now - 1)
        } == ["plan.starts", "plan.enrolment_ends"])
      let foreign = try await rig.route(of: bea.id)
      #expect(await refused { $0.routeID = foreign } == ["plan.route_id"])
      let old = try await rig.route(of: ada.id)
      try rig.connection().query(
        "UPDATE course SET planned_at = $2 WHERE id = $1::text::uuid",
        [.text(old), .timestamptz(microsecondsSinceUnixEpoch: ServiceRig.now - 24 * ServiceRig.hour)])
      #expect(await refused { $0.routeID = old } == ["plan.route_id"])
      #expect(try await rig.told(ada, id).isEmpty)
    }
  }

  @Test(
    "A-R17, A-R23: the board of a changed race is of the new course, on every server, and a stream shows it anew",
    arguments: [false, true])
  func board(isLater: Bool) async throws {
    try await withRace("board \(isLater)") { live in
      let rig = live.rig
      live.clock.time = LiveRig.starts - 70 * LiveRig.minute
      let organizer = try await rig.token(for: live.organizer)
      var spectacle = Spectacle()
      let stream = try await live.live.watchRace(
        .init(raceID: live.race), metadata: live.stranger, deadline: .seconds(30))
      try await spectacle.read(stream) { $0.race != nil }
      #expect(spectacle.race?.course?.arrival?.name == "Arco")
      // From here on the server knows the race as it stands, and looks again only where something has changed.
      try await rig.races.refresh()
      let before = try await live.leaderboard()

      let race = try #require(try await rig.raceClient.getRace(.init(raceID: live.race), metadata: organizer).race)
      var wanted = plan(race)
      if isLater { wanted.starts = .init(LiveRig.starts + 20 * LiveRig.minute) }
      // To the other side: who runs there is on no other course.
      let course = try Course(
        source: .straight, latitudes: [45.47, 45.45], longitudes: [9.17, 9.17],
        start: Place(latitude: 45.47, longitude: 9.17, name: "Castello"),
        arrival: Place(latitude: 45.45, longitude: 9.17, name: "Ticinese"))
      wanted.routeID = try #require(try await rig.storage.courses.insert(course, plannedBy: live.organizer))
      _ = try await rig.raceClient.updateRace(
        .init(raceID: live.race, plan: wanted, etag: race.etag), metadata: organizer)
      try await rig.races.refresh()
      try await spectacle.read(stream) { $0.race?.course?.arrival?.name == "Ticinese" }
      #expect(spectacle.race?.starts == wanted.starts)

      live.clock.time = LiveRig.starts - 30 * LiveRig.minute
      try await rig.races.refresh()
      try await live.decide(.present, [1])
      live.clock.time = LiveRig.starts + 30 * LiveRig.minute
      let place = course.point(at: 1_500)
      _ = try await rig.ingestClient.recordReadings(
        .init(
          readings: (0..<5).map { second in
            .init(
              personID: live.runners[0], metric: "position",
              timeUs: LiveRig.starts + 25 * LiveRig.minute + second * LiveRig.second,
              value: .position(.init(latitude: place.latitude, longitude: place.longitude, accuracy: 4)))
          }), metadata: ServiceRig.asOperator)
      try await live.eventuallyShows { abs(($0.rows.first { $0.number == 1 }?.markerM ?? 0) - 1_500) < 20 }
      let shown = try await live.leaderboard()
      // What was shown before the change is what it was: nobody, as long as enrolment was open.
      #expect(try await live.leaderboard(.cursor(before.cursor)).rows == before.rows && before.rows.isEmpty)

      let hub = DeliveryHub(tail: rig.storage.tail, streams: Board())
      let another = LiveRaces(
        storage: rig.storage, hub: hub, desk: nil, exertionsChanged: {}, told: {}, tick: .milliseconds(2),
        clock: { live.clock.time })
      let running = Task { await another.run() }
      try await another.refresh()
      try await eventually { another.race(live.race)?.board.leaderboard()?.rows == shown.rows }
      running.cancel()
      await running.value
    }
  }
}
