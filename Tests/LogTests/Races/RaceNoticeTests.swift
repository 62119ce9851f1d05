import Domain
import Postgres
import RacesRules
import TestSupport
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Sharing
@testable import Sos

/// What many people of a race are told does not keep anybody else waiting, and reaches each of them once.
@Suite(.timeLimit(.minutes(5))) struct RaceNoticeTests {
  private static let capacity: Int32 = 2_000

  /// Fills a race: half of its runners have paid, half are to pay.
  private func fill(_ race: RaceID, _ persons: [PersonID], _ rig: Rig) throws {
    try rig.connection().query(
      """
      WITH p AS (
        SELECT person, place, gen_random_uuid() AS payment
        FROM unnest($2::bigint[]) WITH ORDINALITY AS u (person, place)
      ), paid AS (
        INSERT INTO payment (id, subject_kind, subject, description, payer, minor_units, currency, state, wish)
        SELECT payment, 1, $1, '', person, 1500, 'EUR', CASE place % 2 WHEN 0 THEN 3 ELSE 1 END, 0 FROM p
      )
      INSERT INTO race_enrolment (race, person, state, number, runner_name, payment, changed_at)
      SELECT $1, person, CASE place % 2 WHEN 0 THEN 3 ELSE 2 END, place, '', payment, $3 FROM p
      """,
      [.int8(race), .int8Array(persons), .timestamptz(microsecondsSinceUnixEpoch: Rig.now - 1)])
  }

  private func cancel(_ race: RaceID, _ rig: Rig) async throws {
    let change = RaceChange(race: race, kind: .raceCancelled, author: 1, time: Rig.now)
    _ = try #require(try await rig.storage.decisions.decide(change, as: .cancel, reason: "Storm"))
  }

  private func count(_ what: String, _ rig: Rig) throws -> Int64 {
    try rig.connection().query("SELECT count(*) FROM \(what)", []).int64(0, 0)
  }

  @Test("A-R19.1: the decision to cancel writes four rows, however many are enrolled; everybody is told once after it")
  func cancelled() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: Self.capacity, fee: 1_500)
      let persons = try await rig.persons(Int(Self.capacity))
      try fill(race, persons, rig)
      try await cancel(race, rig)
      let written = try [
        "race_notice", "race_change", "race", "reading_log", "notification", "email_queue", "payment",
        "race_enrolment",
      ].map { try count("\($0) WHERE xmin = (SELECT xmin FROM race_change)", rig) }
      #expect(written == [1, 1, 1, 1, 0, 0, 0, 0], "what was written in the writer's transaction")

      // A piece that a crash cuts off has told nobody.
      let crashing = try rig.connection()
      try crashing.execute("BEGIN")
      #expect(try RaceNotices.workOff(crashing))
      let crashed = try crashing.query("SELECT pg_backend_pid()", []).int32(0, 0)
      crashing.close()
      // Its race is passed over until PostgreSQL has noticed.
      try await eventually { try count("pg_stat_activity WHERE pid = \(crashed)", rig) == 0 }
      // Somebody leaves before being told, and had a place when it was decided.
      try rig.connection().query(
        "UPDATE race_enrolment SET state = 5, changed_at = $2 WHERE race = $1 AND number = 1999",
        [.int8(race), .timestamptz(microsecondsSinceUnixEpoch: Rig.now + 1)])
      var pieces: [Int64] = []
      var before: Int64 = 0
      while try await rig.storage.raceNotices.workOff() {
        let after = try count("notification", rig)
        if after > before { pieces.append(after - before) }
        before = after
      }
      #expect(pieces.allSatisfy { $0 <= 500 } && pieces.count == 5, "2,000 runners and the organiser")
      for table in ["notification", "email_queue"] {
        #expect(try count("\(table) WHERE kind = 15", rig) == 2_001)
        #expect(try count("(SELECT DISTINCT account FROM \(table) WHERE kind = 15) a", rig) == 2_001)
      }
      #expect(try count("payment WHERE state = 3 AND wish = 4", rig) == 1_000)
      #expect(try count("payment WHERE state = 1 AND wish = 3", rig) == 1_000)
      #expect(try count("race_enrolment WHERE state = 2", rig) == 0)
      #expect(try rig.places(of: race) == [1_000, 0, 1_000, 0])
    }
  }

  @Test("A race with few people is not told after one with thousands")
  func turns() async throws {
    try await withStorage { rig in
      let large = try await rig.race(capacity: Self.capacity)
      let small = try await rig.race()
      let persons = try await rig.persons(1_600)
      try fill(large, Array(persons.dropLast()), rig)
      try await cancel(large, rig)
      try await rig.enrol(persons[1_599], in: small, at: Rig.now - 1)
      try await cancel(small, rig)
      for _ in 0..<2 { #expect(try await rig.storage.raceNotices.workOff()) }
      #expect(try rig.news(persons[1_599]) == [15])
      #expect(try count("notification", rig) == 502)
    }
  }

  @Test("Who had left before the decision is not told of it, nor an account that ends before its turn")
  func left() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 10)
      let persons = try await rig.persons(3)
      try fill(race, persons, rig)
      try rig.connection().query(
        "UPDATE race_enrolment SET state = 5, number = NULL, changed_at = $2 WHERE person = $1",
        [.int8(persons[0]), .timestamptz(microsecondsSinceUnixEpoch: Rig.now - 1)])
      try await cancel(race, rig)
      try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(persons[1])])
      try await rig.tellEverybody()
      #expect(try persons.map { try rig.news($0) } == [[], [], [15]])
    }
  }

  @Test("Dates and course change twenty times a day: everybody is told each time")
  func often() async throws {
    try await withStorage { rig in
      let race = try await rig.race()
      func record() async throws -> RaceRecord { try #require(try await rig.storage.races.race(race)) }
      for _ in 0..<(RaceNotices.changesPerDayMax - 1) {
        try rig.connection().query("SELECT announce_race($1, 27::smallint, '{runners}', now())", [.int8(race)])
      }
      let races = rig.storage.races
      var known = try await record()
      #expect(try await races.postpone(known, to: known.schedule.starts + 1, at: Rig.now))
      known = try await record()
      #expect(try await !races.postpone(known, to: known.schedule.starts + 1, at: Rig.now))
      var plan = known.plan
      plan.schedule.starts += 1
      #expect(try await rig.storage.decisions.change(known, to: plan, by: known.createdBy, at: Rig.now) == .tooLate)
      #expect(try await races.isChangedOften(race))
      // Those of yesterday do not count, also when they are forgotten.
      try await rig.tellEverybody()
      try await rig.storage.raceNotices.sweep()
      #expect(try await races.isChangedOften(race))
      try rig.connection().query(
        "UPDATE race_notice SET made_at = made_at - interval '26 hours', done_at = done_at - interval '26 hours'")
      #expect(try await races.postpone(known, to: known.schedule.starts + 1, at: Rig.now))
      try await rig.storage.raceNotices.sweep()
      #expect(try count("race_notice", rig) == 1)
    }
  }
}
