import Postgres
import RacesRules
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races
@testable import Sharing
@testable import Sos

@Suite(.timeLimit(.minutes(5))) struct RaceErasureTests {
  @Test("C-23: who is erased is in no race any more; fees go back, and races that nobody else organises are cancelled")
  func erased() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(4)
      let (gone, other, third) = (persons[0], persons[1], persons[2])
      let (storage, connection) = (rig.storage, try rig.connection())
      let alone = try await rig.race(by: gone)
      let shared = try await rig.race(by: gone)
      let draft = try await rig.race(by: gone, name: "My secret", opened: false)
      #expect(try await storage.races.addOrganizer("runner-2", to: shared, at: RaceRig.now) == .done)
      let open = try await rig.race(by: other)
      let running = try await rig.race(by: other, starts: RaceRig.now + 2 * RaceRig.hour)
      try rig.enrol([third], in: alone)
      try rig.enrol([gone, third], in: open)
      try rig.enrol([gone, third], in: running)
      #expect(try await storage.races.observe(shared, by: gone))
      try connection.execute(
        """
        INSERT INTO race_invitation (race, person, invited_by) VALUES (\(open), \(gone), \(other)),
          (\(shared), \(third), \(gone));
        INSERT INTO payment (subject_kind, subject, description, payer, minor_units, currency, state, wish, provider_payment,
          payment_url)
        VALUES (1, \(alone), '', \(third), 1500, 'EUR', 3, 0, 'pay-third', 'https://pay/third'),
          (1, \(open), '', \(gone), 1500, 'EUR', 3, 0, 'pay-gone', 'https://pay/gone'),
          (1, \(running), '', \(gone), 1500, 'EUR', 3, 0, 'pay-old', 'https://pay/old');
        """)
      _ = try await rig.route(of: gone)
      let at = RaceRig.now + 90 * 60_000_000
      for (kind, action, author) in [
        (RaceChange.Kind.disqualified, RaceAction.disqualify, other), (.reinstated, .reinstate, gone),
      ] {
        let change = RaceChange(race: running, kind: kind, persons: [gone], author: author, time: at)
        #expect(try await storage.decisions.decide(change, as: action, reason: "About somebody") != nil)
      }
      // The race runs when the job comes.
      try connection.query(
        "UPDATE race SET starts_at = $2, enrolment_ends_at = $3 WHERE id = $1",
        [
          .int8(running), .timestamptz(microsecondsSinceUnixEpoch: RaceRig.now - RaceRig.hour),
          .timestamptz(microsecondsSinceUnixEpoch: RaceRig.now - 2 * RaceRig.hour),
        ])

      let outcome = try await storage.erasures.deactivate(
        gone, passwordHash: "hash", receipt: [UInt8](repeating: 7, count: 32), at: RaceRig.now)
      guard case .deactivated = outcome else {
        Issue.record("\(outcome)")
        return
      }
      let job = ErasureJob(storage: storage, clock: { RaceRig.now + 60_000_000 }, logger: quiet)
      #expect(try await job.round() == 1)

      func count(_ sql: String) throws -> Int64 { try connection.query("SELECT count(*) FROM \(sql)", []).int64(0, 0) }
      for (table, column) in [
        ("race_enrolment", "person"), ("race_observer", "account"), ("race_organizer", "account"),
        ("race_invitation", "person"), ("race_invitation", "invited_by"), ("race_change", "author"),
      ] {
        #expect(try count("\(table) WHERE \(column) = \(gone)") == 0, "\(table).\(column)")
      }
      #expect(try count("race_change WHERE \(gone) = ANY (persons)") == 0)
      #expect(try count("race_change WHERE race = \(running) AND reason <> ''") == 0)
      #expect(try count("payment WHERE payer = \(gone) AND payment_url IS NOT NULL") == 0)
      #expect(try count("payment WHERE provider_payment = 'pay-old'") == 0)
      #expect(try count("race WHERE id = \(draft)") == 0 && count("race_change WHERE race = \(draft)") == 0)
      #expect(
        try count("course c WHERE NOT EXISTS (SELECT FROM race WHERE course = c.id) AND planned_by = \(gone)") == 0,
        "routes, and the courses of drafts, are where somebody lives")

      // What it organised alone has ended, and the fees go back.
      #expect(try await storage.races.race(alone)?.schedule.cancelled != nil)
      #expect(try await storage.races.race(shared)?.schedule.cancelled == nil)
      #expect(try await storage.races.race(shared)?.organizers.map(\.account) == [other])
      try await rig.rig.tellEverybody()
      #expect(try rig.told(third, 15) == 1)
      #expect(try count("payment WHERE provider_payment IN ('pay-third', 'pay-gone') AND wish = 4") == 2)
      // The other runners are where they were.
      #expect(try await storage.races.runners(of: open).map(\.person) == [third])
      #expect(try await storage.races.runners(of: running).map(\.person) == [third])
      // When it was paid back, its name at the provider goes too.
      try connection.query("UPDATE payment SET wish = 0, state = 5 WHERE wish = 4")
      try await storage.eraseStragglers(since: RaceRig.now)
      #expect(try count("payment WHERE provider_payment = 'pay-gone'") == 0)
      #expect(try count("payment WHERE provider_payment = 'pay-third'") == 1)
      #expect(try count("payment WHERE payer = \(gone) AND minor_units = 1500") == 2, "the amounts stay")
    }
  }
}
