import Domain
import Postgres
import RacesRules
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Sharing
@testable import Sos

@Suite("A-R16.1: invitations to races", .timeLimit(.minutes(5))) struct InvitationTests {
  private static let link = [UInt8](repeating: 1, count: 32)

  private func name(_ person: PersonID, _ rig: Rig) throws -> String {
    try rig.connection().query("SELECT username FROM account WHERE id = $1", [.int8(person)]).string(0, 0)
  }

  private func invite(_ names: [String], to race: RaceID, by organizer: AccountID, _ rig: Rig) async throws {
    let isNew = try await rig.storage.invitations.invite(
      names, to: race, link: Self.link, by: organizer, states: [.enrolmentOpen], at: Rig.now)
    #expect(isNew == false)
    try await rig.tellEverybody()
  }

  @Test(
    "A person is told of a race once, whatever became of the invitation, and of one organiser's races three times a day"
  )
  func told() async throws {
    try await withStorage { rig in
      let persons = try await rig.persons(3)
      let (invited, organizer, other) = (persons[0], persons[1], persons[2])
      let names = [try name(invited, rig).uppercased(), "nobody-of-this-name"]
      let race = try await rig.race(link: Self.link)
      for _ in 0..<3 {
        try await invite(names, to: race, by: organizer, rig)
        #expect(try rig.news(invited) == [16])
        try await rig.storage.invitations.revoke(names, of: race)
      }
      for _ in 0..<4 { try await invite(names, to: try await rig.race(link: Self.link), by: organizer, rig) }
      #expect(try rig.news(invited) == [16, 16, 16])
      let invitations = try rig.connection().query("SELECT count(*) FROM race_invitation").int64(0, 0)
      #expect(invitations == 4, "who is not told is invited all the same")
      try await invite(names, to: try await rig.race(link: Self.link), by: other, rig)
      #expect(try rig.news(invited).count == 4)
      try rig.connection().query("UPDATE race_invitation_told SET told_at = told_at - interval '24 hours'")
      try await invite(names, to: try await rig.race(link: Self.link), by: organizer, rig)
      #expect(try rig.news(invited).count == 5)
    }
  }

  @Test("An address that refused a mail for good in the last week gets none; the inbox has the invitation")
  func refusedAddress() async throws {
    try await withStorage { rig in
      let persons = try await rig.persons(3)
      let names = try persons.map { try name($0, rig) }
      try rig.connection().query(
        """
        INSERT INTO email_queue (account, address, kind, facts, state, changed_at)
        SELECT id, email, 1, '{}', 'failed', now() - CASE id WHEN $1 THEN interval '1 day' ELSE interval '8 days' END
        FROM account WHERE id IN ($1, $2)
        """, [.int8(persons[0]), .int8(persons[1])])
      try await invite(names, to: try await rig.race(link: Self.link), by: persons[2], rig)
      for person in persons { #expect(try rig.news(person) == [16]) }
      let mailed = try rig.connection().query(
        "SELECT array_agg(account ORDER BY account) FROM email_queue WHERE kind = 16")
      #expect(try mailed.int64Array(0, 0) == [persons[1], persons[2]])
    }
  }

  @Test("Whose invitation is taken back before the turn is not told of it")
  func revoked() async throws {
    try await withStorage { rig in
      let persons = try await rig.persons(3)
      let names = try persons.prefix(2).map { try name($0, rig) }
      let race = try await rig.race(link: Self.link)
      _ = try await rig.storage.invitations.invite(
        names, to: race, link: Self.link, by: persons[2], states: [.enrolmentOpen], at: Rig.now)
      try await rig.storage.invitations.revoke([names[0]], of: race)
      try await rig.tellEverybody()
      #expect(try persons.prefix(2).map { try rig.news($0) } == [[], [16]])
      // Nothing was used up by what was not told.
      try await invite([names[0]], to: race, by: persons[2], rig)
      #expect(try rig.news(persons[0]) == [16])
    }
  }

  @Test("Of two wishes at once, of two races, the second one sees what the first has used up")
  func limitAtOnce() async throws {
    try await withStorage { rig in
      let organizer = try await rig.persons(1)[0]
      let races = [try await rig.race(link: Self.link), try await rig.race(link: Self.link)]
      let names = (0..<Invitations.askedPerDayMax / 2 + 1).map { "nobody-\($0)" }
      // Both have begun before either can end.
      let pause = try rig.connection()
      try pause.execute("BEGIN; LOCK TABLE race_notice IN SHARE MODE")
      let outcomes = try await withThrowingTaskGroup(of: Invitations.Refusal?.self) { group in
        for race in races {
          group.addTask {
            do {
              _ = try await rig.storage.invitations.invite(
                names, to: race, link: Self.link, by: organizer, states: [.enrolmentOpen], at: Rig.now)
              return nil
            } catch let refusal as Invitations.Refusal { return refusal }
          }
        }
        try await eventually {
          try rig.connection().query(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
          ).int64(0, 0) == 2
        }
        pause.close()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .tooManyAsked } == 1)
    }
  }

  @Test("An organiser gives two thousand usernames in a day, also at once; those that nobody has count as well")
  func limit() async throws {
    try await withStorage { rig in
      let organizer = try await rig.persons(1)[0]
      let races = [try await rig.race(link: Self.link), try await rig.race(link: Self.link)]
      let names = (0..<500).map { "nobody-\($0)" }
      let outcomes = await withTaskGroup(of: Invitations.Refusal?.self) { group in
        for call in 0..<6 {
          group.addTask {
            do {
              _ = try await rig.storage.invitations.invite(
                names, to: races[call % 2], link: Self.link, by: organizer, states: [.enrolmentOpen], at: Rig.now)
              return nil
            } catch { return error as? Invitations.Refusal }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == nil } == 4 && outcomes.count { $0 == .tooManyAsked } == 2)
      // Those of others, and of yesterday, are others.
      let other = try await rig.persons(1)[0]
      try await invite(names, to: races[0], by: other, rig)
      try rig.connection().query("UPDATE race_notice SET made_at = made_at - interval '24 hours'")
      try await invite(names, to: races[0], by: organizer, rig)
    }
  }
}
