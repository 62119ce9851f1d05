import Domain
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

@Suite(.timeLimit(.minutes(5))) struct PlanRaceTests {
  @Test("A-R16, A-R17: a race is made with the chosen course, and the same request makes it once")
  func create() async throws {
    try await withServer { rig in
      let ada = try await rig.party("ada")
      var plan = try await rig.plan(by: ada.id)
      plan.description = "Ten times\nround the park"
      plan.timeLimit = .init(seconds: 7_200, nanos: 0)
      plan.capacity = 50
      plan.fee = .init(currencyCode: "EUR", minorUnits: 1_500)
      plan.byInvitation = true
      let made = try await rig.raceClient.createRace(.init(requestID: "r", plan: plan), metadata: ada.caller)
      let race = try #require(made.race)
      #expect(race.name == "Stramilano" && race.placeName == "Milano" && race.description == plan.description)
      #expect(race.state == .draft && race.starts == plan.starts && race.enrolmentEnds == plan.enrolmentEnds)
      #expect(race.timeLimit == plan.timeLimit && race.capacity == 50 && race.fee == plan.fee && race.byInvitation)
      #expect(race.course?.latitudes == [45.47, 45.48] && race.course?.start?.name == "Castello")
      #expect(race.organizers == [.init(username: "ada", name: "Name")] && race.finished == nil)
      plan.name = "Another"
      let again = try await rig.raceClient.createRace(.init(requestID: "r", plan: plan), metadata: ada.caller)
      #expect(again.race == race)
    }
  }

  @Test("A-R16: what is wrong with a plan is named field by field")
  func violations() async throws {
    try await withServer { rig in
      let (ada, bea) = (try await rig.party("ada"), try await rig.party("bea"))
      let good = try await rig.plan(by: ada.id)
      func refused(_ change: (inout Trackme_Races_V1_RacePlan) -> Void) async -> [String] {
        var plan = good
        change(&plan)
        return await fields {
          _ = try await rig.raceClient.createRace(.init(requestID: "x", plan: plan), metadata: ada.caller)
        }
      }
      #expect(
        await fields { _ = try await rig.raceClient.createRace(.init(), metadata: ada.caller) } == [
          "request_id", "plan",
        ])
      #expect(await refused { $0.name = "" } == ["plan.name"])
      #expect(await refused { $0.name = String(repeating: "é", count: 101) } == ["plan.name"])
      #expect(await refused { $0.name = "a\nb" } == ["plan.name"])
      #expect(await refused { $0.description = String(repeating: "x", count: 4_001) } == ["plan.description"])
      #expect(await refused { $0.placeName = "  " } == ["plan.place_name"])
      #expect(await refused { $0.starts = nil } == ["plan.starts"])
      #expect(await refused { $0.starts = .init(ServiceRig.now) } == ["plan.enrolment_ends", "plan.starts"])
      #expect(await refused { $0.enrolmentEnds = $0.starts } == ["plan.enrolment_ends"])
      #expect(await refused { $0.enrolmentEnds = .init(ServiceRig.now) } == ["plan.enrolment_ends"])
      #expect(await refused { $0.timeLimit = .init(seconds: 59, nanos: 999_999_999) } == ["plan.time_limit"])
      #expect(await refused { $0.timeLimit = .init(seconds: 172_800, nanos: 1_000) } == ["plan.time_limit"])
      #expect(await refused { $0.timeLimit = .init(seconds: .max, nanos: 0) } == ["plan.time_limit"])
      #expect(await refused { $0.capacity = -1 } == ["plan.capacity"])
      #expect(await refused { $0.capacity = 20_001 } == ["plan.capacity"])
      #expect(
        await refused { $0.fee = .init(currencyCode: "eur", minorUnits: 0) }
          == ["plan.fee.currency_code", "plan.fee.minor_units"])
      #expect(await refused { $0.routeID = "" } == ["plan.route_id"])
      #expect(await refused { $0.routeID = "00000000-0000-0000-0000-000000000000" } == ["plan.route_id"])
      let others = try await rig.route(of: bea.id)
      #expect(await refused { $0.routeID = others } == ["plan.route_id"])
      #expect(await refused { $0.name = String(repeating: "é", count: 100) } == [])
    }
  }

  @Test("A-R19: a draft changes as a whole; once enrolment is open, entry and fee stay as they are")
  func update() async throws {
    try await withServer { rig in
      let ada = try await rig.party("ada")
      let race = try await rig.draft(by: ada) { $0.capacity = 10 }
      var plan = try await rig.plan(by: ada.id, name: "Stramilanina")
      plan.capacity = 5
      func update(
        _ plan: Trackme_Races_V1_RacePlan, _ etag: String
      ) async throws -> Trackme_Races_V1_Race {
        let request = Trackme_Races_V1_UpdateRaceRequest(raceID: race.raceID, plan: plan, etag: etag)
        return try #require(try await rig.raceClient.updateRace(request, metadata: ada.caller).race)
      }
      let second = try await update(plan, race.etag)
      let known = plan
      #expect(second.name == "Stramilanina" && second.capacity == 5 && second.etag != race.etag)
      let stale = await status { _ = try await update(known, race.etag) }
      #expect(stale?.code == .aborted && stale?.errorInfo?.reason == "STALE_ETAG")
      #expect(await fields { _ = try await update(known, "") } == ["etag"])

      let open = try await rig.raceClient.openEnrolment(.init(raceID: race.raceID), metadata: ada.caller).race
      plan.routeID = ""
      plan.description = "New shoes"
      plan.capacity = 6
      let third = try await update(plan, try #require(open?.etag))
      #expect(third.description == "New shoes" && third.capacity == 6 && third.course == second.course)
      let smaller = { (plan: Trackme_Races_V1_RacePlan) in
        var plan = plan
        plan.capacity = 5
        return plan
      }(plan)
      let refused = await fields { _ = try await update(smaller, third.etag) }
      #expect(refused == ["plan.capacity"])
      var others = Array(repeating: plan, count: 2)
      others[0].byInvitation = true
      others[1].fee = .init(currencyCode: "EUR", minorUnits: 1)
      // Not with a change that is possible, either.
      others[1].starts = .init(ServiceRig.now + 3 * ServiceRig.hour)
      for other in others {
        #expect(await reason { _ = try await update(other, third.etag) } == "RACE_STATE")
      }
    }
  }

  @Test("the start and the deadline must be in the future when enrolment opens")
  func openTooLate() async throws {
    try await withServer { rig in
      let ada = try await rig.party("ada")
      let race = try await rig.draft(by: ada).raceID
      try rig.connection().query(
        "UPDATE race SET enrolment_ends_at = $1",
        [.timestamptz(microsecondsSinceUnixEpoch: ServiceRig.now)])
      let refusal = await status {
        _ = try await rig.raceClient.openEnrolment(.init(raceID: race), metadata: ada.caller)
      }
      #expect(refusal?.code == .failedPrecondition && refusal?.errorInfo?.reason == "RACE_DATES")
    }
  }

  @Test("A-R16: co-organisers are told and manage the race; one organiser stays")
  func organizers() async throws {
    try await withServer { rig in
      let (ada, bea) = (try await rig.party("ada"), try await rig.party("bea"))
      _ = try await rig.account("clinic", kind: .thirdParty)
      let race = try await rig.draft(by: ada).raceID
      #expect(
        await reason { _ = try await rig.raceClient.getRace(.init(raceID: race), metadata: bea.caller) } == "NO_RACE")
      for _ in 1...2 {
        let answer = try await rig.raceClient.addOrganizer(.init(raceID: race, username: "BEA"), metadata: ada.caller)
        #expect(answer.race?.organizers.map(\.username) == ["ada", "bea"])
      }
      let told = try await rig.told(bea, race)
      #expect(told.map(\.kind) == [.raceOrganizerAdded])
      #expect(told.first?.subject == "You organise the race Stramilano")
      #expect(
        try await rig.raceClient.openEnrolment(.init(raceID: race), metadata: bea.caller).race?.state == .enrolmentOpen)
      for username in ["nobody", "clinic"] {
        #expect(
          await fields {
            _ = try await rig.raceClient.addOrganizer(.init(raceID: race, username: username), metadata: ada.caller)
          } == ["username"])
      }
      let left = try await rig.raceClient.removeOrganizer(.init(raceID: race, username: "ada"), metadata: ada.caller)
      #expect(left.race?.organizers.map(\.username) == ["bea"])
      #expect(
        await reason {
          _ = try await rig.raceClient.removeOrganizer(.init(raceID: race, username: "bea"), metadata: ada.caller)
        } == "NOT_ORGANIZER")
      #expect(
        await reason {
          _ = try await rig.raceClient.removeOrganizer(.init(raceID: race, username: "bea"), metadata: bea.caller)
        } == "LAST_ORGANIZER")
      _ = try await rig.raceClient.removeOrganizer(.init(raceID: race, username: "ada"), metadata: bea.caller)
    }
  }

  @Test("A-R16.1: a race by invitation is shown to its people, and to invited persons who give the link")
  func visibility() async throws {
    try await withServer { rig in
      let ada = try await rig.party("ada")
      let race = try await rig.race(by: ada, in: .enrolmentOpen) { $0.byInvitation = true }
      let (runner, observer, invited) = (
        try await rig.party("runner"), try await rig.party("observer"), try await rig.party("invited")
      )
      let stranger = try await rig.party("stranger")
      let connection = try rig.connection()
      try connection.query(
        "UPDATE race SET invitation_sha256 = $1", [.bytea(TokenHash("secret").bytes)])
      _ = try connection.execute(
        """
        INSERT INTO race_enrolment (race, person, state, number, runner_name) VALUES (\(race), \(runner.id), 3, 1, 'R');
        INSERT INTO race_observer (race, account) VALUES (\(race), \(observer.id));
        INSERT INTO race_invitation (race, person, invited_by) VALUES (\(race), \(invited.id), \(ada.id));
        """)
      func sees(_ party: RaceParty, _ invitation: String = "") async -> Bool {
        let request = Trackme_Races_V1_GetRaceRequest(raceID: race, invitation: invitation)
        let end = await status { _ = try await rig.raceClient.getRace(request, metadata: party.caller) }
        #expect(end == nil || end?.code == .notFound && end?.errorInfo?.reason == "NO_RACE")
        return end == nil
      }
      for party in [ada, runner, observer] { #expect(await sees(party), "\(party.name)") }
      for (party, secret) in [(invited, ""), (invited, "Secret"), (stranger, "secret"), (stranger, "")] {
        #expect(await !sees(party, secret), "\(party.name) \(secret)")
      }
      #expect(await sees(invited, "secret"))
      let found = try await rig.raceClient.searchRaces(.init(text: "Stramilano"), metadata: stranger.caller)
      #expect(found.races.isEmpty)
      // Observing follows the same rule, and then lets the observer see it.
      #expect(
        await reason {
          _ = try await rig.raceClient.observeRace(.init(raceID: race, invitation: "guess"), metadata: invited.caller)
        } == "NO_RACE")
      _ = try await rig.raceClient.observeRace(.init(raceID: race, invitation: "secret"), metadata: invited.caller)
      #expect(await sees(invited))
      // For others it is like a race that does not exist, also where they would do something.
      for id in [race, race + 1_000] {
        #expect(
          await reason { _ = try await rig.raceClient.cancelRace(.init(raceID: id), metadata: stranger.caller) }
            == "NO_RACE"
        )
      }
    }
  }
}
