import RacesRules
import RPCRuntime
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

@Suite(.timeLimit(.minutes(5))) struct RunRaceTests {
  @Test("A-R18, A-R19: what a race's state does not allow is FAILED_PRECONDITION, which names state and action")
  func everyActionInEveryState() async throws {
    try await withServer { rig in
      let (ada, runner) = (try await rig.party("ada"), try await rig.party("runner"))
      let names: [RaceState: String] = [
        .draft: "DRAFT", .enrolmentOpen: "ENROLMENT_OPEN", .enrolmentClosed: "ENROLMENT_CLOSED",
        .running: "RUNNING", .finished: "FINISHED", .cancelled: "CANCELLED",
        .disabled: "DISABLED",
      ]
      for state in RaceState.allCases {
        let actions: [(RaceAction, String, (RaceID) async throws -> Void)] = [
          (
            .openEnrolment, "OPEN_ENROLMENT",
            {
              _ = try await rig.raceClient.openEnrolment(.init(raceID: $0), metadata: ada.caller)
            }
          ),
          (
            .postpone, "POSTPONE",
            {
              let start = Google_Protobuf_Timestamp(ServiceRig.now + 48 * ServiceRig.hour)
              _ = try await rig.raceClient.postponeRace(.init(raceID: $0, starts: start), metadata: ada.caller)
            }
          ),
          (.cancel, "CANCEL", { _ = try await rig.raceClient.cancelRace(.init(raceID: $0), metadata: ada.caller) }),
          (.finish, "FINISH", { _ = try await rig.raceClient.finishRace(.init(raceID: $0), metadata: ada.caller) }),
          (.observe, "OBSERVE", { _ = try await rig.raceClient.observeRace(.init(raceID: $0), metadata: ada.caller) }),
          (
            .changeOrganizers, "CHANGE_ORGANIZERS",
            {
              _ = try await rig.raceClient.addOrganizer(.init(raceID: $0, username: "runner"), metadata: ada.caller)
            }
          ),
          (
            .markPresent, "MARK_PRESENT",
            {
              _ = try await rig.raceClient.markPresent(.init(raceID: $0, numbers: [1]), metadata: ada.caller)
            }
          ),
          (
            .disqualify, "DISQUALIFY",
            {
              _ = try await rig.raceClient.disqualify(.init(raceID: $0, number: 1, reason: "Bus"), metadata: ada.caller)
            }
          ),
          (
            .reinstate, "REINSTATE",
            {
              _ = try await rig.raceClient.reinstate(.init(raceID: $0, number: 1), metadata: ada.caller)
            }
          ),
          (
            .correctResult, "CORRECT_RESULT",
            {
              _ = try await rig.raceClient.correctResult(
                .init(raceID: $0, number: 1, result: .didNotFinish(true), reason: "Bus"), metadata: ada.caller)
            }
          ),
          (
            .changeCourseAndDates, "CHANGE_COURSE_AND_DATES",
            { race in
              let known = try #require(try await rig.raceClient.getRace(.init(raceID: race), metadata: ada.caller).race)
              let plan = Trackme_Races_V1_RacePlan(
                name: known.name, placeName: known.placeName, starts: .init(ServiceRig.now + 3 * ServiceRig.hour),
                enrolmentEnds: .init(ServiceRig.now + ServiceRig.hour))
              _ = try await rig.raceClient.updateRace(
                .init(raceID: race, plan: plan, etag: known.etag), metadata: ada.caller)
            }
          ),
          (
            .editTexts, "EDIT_TEXTS",
            { race in
              let known = try #require(try await rig.raceClient.getRace(.init(raceID: race), metadata: ada.caller).race)
              let plan = Trackme_Races_V1_RacePlan(
                name: "Other", placeName: "x", starts: known.starts, enrolmentEnds: known.enrolmentEnds)
              _ = try await rig.raceClient.updateRace(
                .init(raceID: race, plan: plan, etag: known.etag), metadata: ada.caller)
            }
          ),
        ]
        for (action, name, call) in actions {
          let race = try await rig.race(by: ada, in: state, runners: [runner])
          let end = await status { try await call(race) }
          if state.allows(action) {
            #expect(end == nil, "\(action) in \(state): \(end.map { "\($0)" } ?? "")")
          } else {
            #expect(end?.code == .failedPrecondition && end?.errorInfo?.reason == "RACE_STATE", "\(action) in \(state)")
            #expect(end?.errorInfo?.metadata.first { $0.key == "state" }?.value == names[state], "\(action)")
            #expect(end?.errorInfo?.metadata.first { $0.key == "action" }?.value == name, "\(state)")
          }
          // So that there are never too many of them.
          try rig.connection().query("UPDATE race SET cancelled_at = starts_at - interval '1 year'")
        }
      }
    }
  }

  @Test("A-R19, A-R19.1: postponing moves every date, and tells everyone the old and the new start")
  func postpone() async throws {
    try await withServer { rig in
      let (ada, runner, observer) = (
        try await rig.party("ada"), try await rig.party("runner"), try await rig.party("observer")
      )
      let race = try await rig.race(by: ada, in: .enrolmentClosed, runners: [runner])
      _ = try await rig.raceClient.observeRace(.init(raceID: race), metadata: observer.caller)
      for start in [ServiceRig.now - 1, ServiceRig.now, ServiceRig.now + 1] {
        #expect(
          await fields {
            _ = try await rig.raceClient.postponeRace(.init(raceID: race, starts: .init(start)), metadata: ada.caller)
          } == ["starts"])
      }
      #expect(
        await fields { _ = try await rig.raceClient.postponeRace(.init(raceID: race), metadata: ada.caller) } == [
          "starts"
        ])
      let start = ServiceRig.now + 86_400_000_000
      let moved = try await rig.raceClient.postponeRace(.init(raceID: race, starts: .init(start)), metadata: ada.caller)
      #expect(moved.race?.starts == .init(start) && moved.race?.enrolmentEnds == .init(start - ServiceRig.hour))
      #expect(moved.race?.state == .enrolmentOpen)
      for party in [ada, runner, observer] {
        let told = try await rig.told(party, race)
        #expect(told.map(\.kind) == [.racePostponed], "\(party.name)")
        #expect(told.first?.text.contains("starts at 2023-11-15 22:13 UTC, and not at 2023-11-14 22:13 UTC") == true)
      }
    }
  }

  @Test("A-R19, A-R19.1: cancelling tells everyone why, in an entry of the log")
  func cancel() async throws {
    try await withServer { rig in
      let (ada, runner, observer) = (
        try await rig.party("ada"), try await rig.party("runner"), try await rig.party("observer")
      )
      let race = try await rig.race(by: ada, in: .running, runners: [runner])
      _ = try await rig.raceClient.observeRace(.init(raceID: race), metadata: observer.caller)
      #expect(
        await fields {
          let reason = String(repeating: "x", count: 501)
          _ = try await rig.raceClient.cancelRace(.init(raceID: race, reason: reason), metadata: ada.caller)
        } == ["reason"])
      let answer = try await rig.raceClient.cancelRace(.init(raceID: race, reason: "Storm"), metadata: ada.caller)
      #expect(answer.race?.state == .cancelled)
      for party in [ada, runner, observer] {
        let told = try await rig.told(party, race)
        #expect(told.map(\.kind) == [.raceCancelled])
        #expect(told.first?.subject == "The race Stramilano was cancelled")
        #expect(told.first?.text.hasSuffix("Their reason: Storm") == true)
      }
      #expect(try await rig.storage.decisions.changes(of: race).map(\.change.kind) == [.raceCancelled])
    }
  }

  @Test("A-R19: an organiser ends a running race before its time")
  func finish() async throws {
    try await withServer { rig in
      let ada = try await rig.party("ada")
      let race = try await rig.race(by: ada, in: .running)
      let answer = try await rig.raceClient.finishRace(.init(raceID: race), metadata: ada.caller)
      #expect(answer.race?.state == .finished && answer.race?.finished == .init(ServiceRig.now))
    }
  }

  @Test("A-R22: observed races are kept in a list of their own, and left")
  func observe() async throws {
    try await withServer { rig in
      let (ada, bea) = (try await rig.party("ada"), try await rig.party("bea"))
      let race = try await rig.race(by: ada, in: .enrolmentOpen)
      func observed() async throws -> [RaceID] {
        try await rig.raceClient.listRaces(.init(role: .observer), metadata: bea.caller).races.map(\.raceID)
      }
      #expect(try await observed().isEmpty)
      for _ in 1...2 { _ = try await rig.raceClient.observeRace(.init(raceID: race), metadata: bea.caller) }
      #expect(try await observed() == [race])
      #expect(try await rig.raceClient.getRace(.init(raceID: race), metadata: bea.caller).race?.isObserved == true)
      #expect(try await rig.raceClient.getRace(.init(raceID: race), metadata: ada.caller).race?.isObserved == false)
      for _ in 1...2 { _ = try await rig.raceClient.stopObserving(.init(raceID: race), metadata: bea.caller) }
      #expect(try await observed().isEmpty)
    }
  }

  @Test("A-R19: everyone's races by role, the newest start first, page by page")
  func lists() async throws {
    try await withServer { rig in
      let (ada, bea) = (try await rig.party("ada"), try await rig.party("bea"))
      var races: [RaceID] = []
      for hours in [3, 5, 4, 4, 2] {
        let race = try await rig.draft(by: ada) { $0.starts = .init(ServiceRig.now + Int64(hours) * ServiceRig.hour) }
        races.append(race.raceID)
      }
      let wanted = [races[1], races[3], races[2], races[0], races[4]]
      var (found, token): ([RaceID], String) = ([], "")
      repeat {
        let page = try await rig.raceClient.listRaces(
          .init(role: .organizer, pageSize: 2, pageToken: token), metadata: ada.caller)
        #expect(page.races.allSatisfy { $0.course?.latitudes.isEmpty == true && $0.course?.lengthM ?? 0 > 1_000 })
        found += page.races.map(\.raceID)
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(found == wanted)
      let first = try await rig.raceClient.listRaces(.init(pageSize: 2), metadata: ada.caller)
      #expect(
        await fields {
          let request = Trackme_Races_V1_ListRacesRequest(role: .runner, pageToken: first.nextPageToken)
          _ = try await rig.raceClient.listRaces(request, metadata: ada.caller)
        } == ["page_token"])
      #expect(
        await fields { _ = try await rig.raceClient.listRaces(.init(role: .unrecognized(9)), metadata: ada.caller) }
          == ["role"])
      #expect(try await rig.raceClient.listRaces(.init(), metadata: bea.caller).races.isEmpty)
      let running = try await rig.race(by: ada, in: .enrolmentOpen, runners: [bea])
      #expect(
        try await rig.raceClient.listRaces(.init(role: .runner), metadata: bea.caller).races.map(\.raceID) == [running])
      #expect(try await rig.raceClient.listRaces(.init(), metadata: bea.caller).races.map(\.enrolledCount) == [1])
    }
  }

  @Test("A-R18: runners are marked present, all of them or none, and a repeat changes nothing")
  func present() async throws {
    try await withServer { rig in
      let (ada, bea, carla) = (try await rig.party("ada"), try await rig.party("bea"), try await rig.party("carla"))
      let race = try await rig.race(by: ada, in: .enrolmentClosed, runners: [bea, carla])
      func mark(_ numbers: [Int32], absent: Bool = false) async throws -> Int32 {
        try await rig.raceClient.markPresent(
          .init(raceID: race, numbers: numbers, absent: absent), metadata: ada.caller
        ).changedCount
      }
      #expect(await fields { _ = try await mark([1, 7, 2, 0, -1]) } == ["numbers[1]", "numbers[3]", "numbers[4]"])
      #expect(await fields { _ = try await mark(Array(repeating: 1, count: 20_001)) } == ["numbers"])
      #expect(try await mark([]) == 0)
      #expect(try await mark([1, 1]) == 1)
      #expect(try await mark([1, 2]) == 1)
      #expect(try await mark([1, 2]) == 0)
      #expect(try await mark([2], absent: true) == 1)
      #expect(try await mark([2], absent: true) == 0)
      let changes = try await rig.storage.decisions.changes(of: race).map(\.change)
      #expect(changes.map(\.kind) == [.present, .present, .absent])
      #expect(changes.map(\.persons) == [[bea.id], [carla.id], [carla.id]])
      #expect(changes.allSatisfy { $0.author == ada.id && $0.time == ServiceRig.now })
    }
  }

  @Test("A-R18: who is disqualified or reinstated is told why, once")
  func disqualify() async throws {
    try await withServer { rig in
      let (ada, bea) = (try await rig.party("ada"), try await rig.party("bea"))
      let race = try await rig.race(by: ada, in: .finished, runners: [bea])
      #expect(
        await fields {
          _ = try await rig.raceClient.disqualify(.init(raceID: race, number: 1), metadata: ada.caller)
        } == ["reason"])
      #expect(
        await reason {
          _ = try await rig.raceClient.disqualify(.init(raceID: race, number: 2, reason: "x"), metadata: ada.caller)
        } == "NO_RUNNER")
      for _ in 1...2 {
        _ = try await rig.raceClient.disqualify(
          .init(raceID: race, number: 1, reason: "Took a bus"), metadata: ada.caller)
      }
      for _ in 1...2 { _ = try await rig.raceClient.reinstate(.init(raceID: race, number: 1), metadata: ada.caller) }
      let told = try await rig.told(bea, race)
      #expect(told.map(\.kind) == [.raceDisqualified, .raceReinstated])
      #expect(told.first?.text.contains("Took a bus") == true)
      #expect(
        try await rig.storage.decisions.changes(of: race).map(\.change.kind) == [.disqualified, .reinstated])
    }
  }

  @Test("A-R26: results are corrected by organisers, who are kept with them, and a repeat is no other correction")
  func correct() async throws {
    try await withServer { rig in
      let (ada, bea) = (try await rig.party("ada"), try await rig.party("bea"))
      let race = try await rig.race(by: ada, in: .finished, runners: [bea])
      typealias Wanted = Trackme_Races_V1_CorrectResultRequest.OneOf_Result
      func correct(_ result: Wanted?, reason: String = "The device failed") async throws {
        _ = try await rig.raceClient.correctResult(
          .init(raceID: race, number: 1, result: result, reason: reason), metadata: ada.caller)
      }
      #expect(await fields { try await correct(nil) } == ["finish_time"])
      #expect(await fields { try await correct(.didNotFinish(false)) } == ["did_not_finish"])
      #expect(await fields { try await correct(.asMeasured(false)) } == ["as_measured"])
      #expect(await fields { try await correct(.asMeasured(true), reason: "") } == ["reason"])
      for (seconds, nanos) in [(0, 0), (-1, 0), (0, 999), (1, -1), (21_600, 1_000), (.max, 0)] as [(Int64, Int32)] {
        let time = Google_Protobuf_Duration(seconds: seconds, nanos: nanos)
        #expect(await fields { try await correct(.finishTime(time)) } == ["finish_time"], "\(seconds) \(nanos)")
      }
      try await correct(.asMeasured(true))
      #expect(try await rig.storage.decisions.changes(of: race).isEmpty, "it counts as measured anyway")
      let time = Wanted.finishTime(.init(seconds: 3_600, nanos: 500_000_000))
      for result in [time, time, .didNotFinish(true), .didNotFinish(true), .asMeasured(true), .asMeasured(true), time] {
        try await correct(result)
      }
      let changes = try await rig.storage.decisions.changes(of: race).map(\.change)
      #expect(changes.map(\.kind) == [.finishTime, .didNotFinish, .asMeasured, .finishTime])
      #expect(changes.map(\.finishTime) == [3_600_500_000, 0, 0, 3_600_500_000])
      #expect(changes.allSatisfy { $0.author == ada.id && $0.persons == [bea.id] })
    }
  }

  @Test("A-R20: races are searched with checked fields, nearby by distance, and page by page")
  func search() async throws {
    try await withServer { rig in
      let ada = try await rig.party("ada")
      for _ in 1...3 { _ = try await rig.race(by: ada, in: .enrolmentOpen) }
      typealias Request = Trackme_Races_V1_SearchRacesRequest
      for (request, wanted) in [
        (Request(near: .init(latitude: .nan, longitude: 181)), ["near.latitude", "near.longitude"]),
        (Request(near: .init(latitude: 45, longitude: 9), radiusM: -1), ["radius_m"]),
        (Request(near: .init(latitude: 45, longitude: 9), radiusM: .nan), ["radius_m"]),
        (Request(near: .init(latitude: 45, longitude: 9), radiusM: 20_000_001), ["radius_m"]),
        (Request(radiusM: 10), ["radius_m"]), (Request(text: String(repeating: "x", count: 101)), ["text"]),
        (Request(from: .init(5), to: .init(5)), ["to"]), (Request(to: .init(5)), ["to"]),
        (Request(from: .init(seconds: .max, nanos: 0)), ["from"]), (Request(pageSize: -1), ["page_size"]),
        (Request(pageToken: "x"), ["page_token"]),
      ] {
        #expect(await fields { _ = try await rig.raceClient.searchRaces(request, metadata: ada.caller) } == wanted)
      }
      let near = Request(near: .init(latitude: 45.469, longitude: 9.17), text: "stramilno", pageSize: 2)
      let first = try await rig.raceClient.searchRaces(near, metadata: ada.caller)
      #expect(first.races.count == 2)
      #expect(first.races.allSatisfy { abs(($0.distanceM ?? 0) - 111) < 1 })
      var next = near
      next.pageToken = first.nextPageToken
      let second = try await rig.raceClient.searchRaces(next, metadata: ada.caller)
      #expect(second.races.count == 1 && second.nextPageToken.isEmpty)
      #expect(Set((first.races + second.races).compactMap(\.race?.raceID)).count == 3)
    }
  }

  @Test("A-R20: without a date, races that are under way are found too; those that are over are not")
  func searchUnderWay() async throws {
    try await withServer { rig in
      let ada = try await rig.party("ada")
      let (running, open) = (
        try await rig.race(by: ada, in: .running), try await rig.race(by: ada, in: .enrolmentOpen)
      )
      try rig.connection().query(
        "UPDATE race SET starts_at = starts_at - interval '30 minutes' WHERE id = $1", [.int8(running)])
      _ = try await rig.race(by: ada, in: .finished)
      _ = try await rig.race(by: ada, in: .cancelled)
      func found(_ request: Trackme_Races_V1_SearchRacesRequest) async throws -> [Int64] {
        try await rig.raceClient.searchRaces(request, metadata: ada.caller).races.compactMap(\.race?.raceID)
      }
      // By their start: what is under way comes first.
      #expect(try await found(.init()) == [running, open])
      #expect(try await found(.init(text: "stramilano")).sorted() == [running, open].sorted())
      let near = Trackme_Races_V1_Place(latitude: 45.469, longitude: 9.17)
      #expect(try await found(.init(near: near)).sorted() == [running, open].sorted())
      let later = try #require(try await rig.raceClient.getRace(.init(raceID: open), metadata: ada.caller).race?.starts)
      #expect(try await found(.init(from: later)) == [open])
    }
  }
}
