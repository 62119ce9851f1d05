import Domain
import Postgres
import RacesRules
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Sharing
@testable import Sos

/// Limits hold for those who come at the same moment: each is checked where it is used up.
@Suite struct RaceLimitTests {
  /// How many of so many calls at once end with an outcome.
  private func atOnce<Outcome: Equatable & Sendable>(
    _ count: Int, _ wanted: Outcome, _ call: @escaping @Sendable (Int) async throws -> Outcome
  ) async throws -> Int {
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for index in 0..<count { group.addTask { try await call(index) } }
      return try await group.reduce(into: 0) { $0 += $1 == wanted ? 1 : 0 }
    }
  }

  private func usernames(_ persons: [PersonID], _ rig: Rig) throws -> [String] {
    let rows = try rig.connection().query(
      "SELECT username FROM account WHERE id = ANY ($1) ORDER BY id", [.int8Array(persons)])
    return try (0..<rows.rowCount).map { try rows.string($0, 0) }
  }

  @Test("A-R16: a person who is made organiser of many races at once organises as many as there may be")
  func racesOfAPerson() async throws {
    try await withStorage { rig in
      let person = try await rig.persons(1)[0]
      let name = try usernames([person], rig)[0]
      var races: [RaceID] = []
      for _ in 0..<12 { races.append(try await rig.race()) }
      let known = races[0]
      // One race less than there may be.
      try rig.connection().query(
        """
        WITH copies AS (
          INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at,
            time_limit_us, is_opened, by_invitation, capacity)
          SELECT created_by, name, '', '', course, starts_at, enrolment_ends_at, time_limit_us, true, false, 1
          FROM race, generate_series(1, $3) WHERE id = $1 RETURNING id
        ) INSERT INTO race_organizer (race, account) SELECT id, $2 FROM copies
        """, [.int8(known), .int8(person), .int4(Int32(RaceStore.maxRaces - 1))])
      let added = try await atOnce(races.count, RaceStore.OrganizerChange.done) { [races] index in
        try await rig.storage.races.addOrganizer(name, to: races[index], at: Rig.now)
      }
      #expect(added == 1)
      let count = try rig.connection().query(
        "SELECT count(*) FROM race_organizer WHERE account = $1", [.int8(person)]
      ).int64(0, 0)
      #expect(count == RaceStore.maxRaces)
    }
  }

  @Test("A-R16: of many who are made organisers of a race at once as many as there may be are")
  func organizersOfARace() async throws {
    try await withStorage { rig in
      let race = try await rig.race()
      let names = try usernames(try await rig.persons(RaceStore.maxOrganizers + 10), rig)
      let added = try await atOnce(names.count, RaceStore.OrganizerChange.done) { index in
        try await rig.storage.races.addOrganizer(names[index], to: race, at: Rig.now)
      }
      // One was there.
      #expect(added == RaceStore.maxOrganizers - 1)
    }
  }

  @Test("A-R16: invitations that are sent at once are never too many")
  func invitations() async throws {
    try await withStorage { rig in
      let race = try await rig.race(link: [UInt8](repeating: 1, count: 32))
      let persons = try await rig.persons(Invitations.maxInvited + 15)
      let invited = Array(persons.prefix(Invitations.maxInvited - 5))
      try rig.connection().query(
        "INSERT INTO race_invitation (race, person, invited_by) SELECT $1, p, 1 FROM unnest($2::bigint[]) AS p",
        [.int8(race), .int8Array(invited)])
      let names = try usernames(Array(persons.suffix(20)), rig)
      let added = try await atOnce(names.count, true) { index in
        do {
          let link = [UInt8](repeating: 2, count: 32)
          return try await rig.storage.invitations.invite(
            [names[index]], to: race, link: link, by: 1, states: [.enrolmentOpen], at: Rig.now) != nil
        } catch Invitations.Refusal.tooManyInvited { return false }
      }
      #expect(added == 5)
      let count = try rig.connection().query(
        "SELECT count(*) FROM race_invitation WHERE race = $1", [.int8(race)]
      ).int64(0, 0)
      #expect(count == Invitations.maxInvited)
    }
  }
}
