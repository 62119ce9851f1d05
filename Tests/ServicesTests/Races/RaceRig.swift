import Domain
import Postgres
import RacesRules
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

/// Somebody with a session.
struct RaceParty: Sendable {
  let id: PersonID
  let name: String
  let caller: Metadata
}

extension ServiceRig {
  static let hour: Microseconds = 3_600_000_000

  var raceClient: RaceServiceClient { RaceServiceClient(channel: channel) }

  func party(_ name: String) async throws -> RaceParty {
    RaceParty(id: try await account(name), name: name, caller: try await logIn(name).metadata)
  }

  /// A straight route of 1.1 km that the person planned.
  func route(of person: PersonID) async throws -> String {
    let course = try Course(
      source: .straight, latitudes: [45.47, 45.48], longitudes: [9.17, 9.17],
      start: Place(latitude: 45.47, longitude: 9.17, name: "Castello"),
      arrival: Place(latitude: 45.48, longitude: 9.17, name: "Arco"))
    return try #require(try await storage.courses.insert(course, plannedBy: person))
  }

  /// A good plan: the race begins in two hours, enrolment ends in one.
  func plan(by person: PersonID, name: String = "Stramilano") async throws -> Trackme_Races_V1_RacePlan {
    .init(
      name: name, placeName: "Milano", starts: .init(Self.now + 2 * Self.hour),
      enrolmentEnds: .init(Self.now + Self.hour), routeID: try await route(of: person))
  }

  /// A draft made by RPC.
  func draft(
    by party: RaceParty, _ change: (inout Trackme_Races_V1_RacePlan) -> Void = { _ in }
  ) async throws -> Trackme_Races_V1_Race {
    var plan = try await plan(by: party.id)
    change(&plan)
    let made = try await raceClient.createRace(
      .init(requestID: "r\(UInt64.random(in: 0...UInt64.max))", plan: plan), metadata: party.caller)
    return try #require(made.race)
  }

  /// A race in a state, by moving its dates in the database.
  func race(
    by party: RaceParty, in state: RaceState, runners: [RaceParty] = [],
    _ change: (inout Trackme_Races_V1_RacePlan) -> Void = { _ in }
  ) async throws -> RaceID {
    let race = try await draft(by: party, change).raceID
    for (index, runner) in runners.enumerated() {
      try connection().query(
        "INSERT INTO race_enrolment (race, person, state, number, runner_name) VALUES ($1, $2, 3, $3, 'Runner')",
        [.int8(race), .int8(runner.id), .int4(Int32(index + 1))])
    }
    if state != .draft { _ = try await raceClient.openEnrolment(.init(raceID: race), metadata: party.caller) }
    let start: Microseconds? =
      switch state {
      case .draft, .enrolmentOpen, .cancelled, .disabled: nil
      case .enrolmentClosed: Self.now + 1
      case .running: Self.now
      case .finished: Self.now - 7 * Self.hour
      }
    if let start {
      try connection().query(
        "UPDATE race SET starts_at = $2, enrolment_ends_at = $3 WHERE id = $1",
        [
          .int8(race), .timestamptz(microsecondsSinceUnixEpoch: start),
          .timestamptz(microsecondsSinceUnixEpoch: start - Self.hour),
        ])
    }
    if state == .disabled {
      #expect(try await storage.races.setDisabled(true, race, reason: "Test", by: party.id, at: Self.now))
    }
    if state == .cancelled { _ = try await raceClient.cancelRace(.init(raceID: race), metadata: party.caller) }
    return race
  }

  /// The subjects of what an account was told about a race, oldest first.
  func told(_ party: RaceParty, _ race: RaceID) async throws -> [Trackme_Notifications_V1_Notification] {
    while try await storage.raceNotices.workOff() {}
    return try await notifications.listNotifications(.init(), metadata: party.caller).notifications
      .filter { $0.raceID == race }.reversed()
  }
}
