import Domain
import Postgres
import RacesRules
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races
@testable import Sharing
@testable import Sos

/// Dates and course change until the deadline; those concerned are told and free to leave (A-R16, A-R19.1, A-R21.1).
@Suite(.timeLimit(.minutes(5))) struct PlanChangeTests {
  private static let minute: Microseconds = 60_000_000

  private func record(_ race: RaceID, _ rig: Rig) async throws -> RaceRecord {
    try #require(try await rig.storage.races.race(race))
  }

  /// The plan of a race with another start, and another deadline if one is given.
  private func plan(
    _ race: RaceRecord, starts: Microseconds, deadline: Microseconds? = nil
  ) -> RacePlan {
    var plan = race.plan
    plan.schedule.starts = starts
    plan.schedule.enrolmentEnds = deadline ?? plan.schedule.enrolmentEnds
    return plan
  }

  /// Changes the start of a race to a day later.
  private func change(_ race: RaceID, _ rig: Rig, at now: Microseconds = Rig.now) async throws {
    let record = try await record(race, rig)
    let outcome = try await rig.storage.decisions.change(
      record, to: plan(record, starts: record.schedule.starts + Rig.day), by: record.createdBy, at: now)
    guard case .changed = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test("it is one entry of the log with the old and the new values, and tells everyone concerned once")
  func told() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(8)
      let race = try await rig.race(by: persons[0], byInvitation: true)
      try rig.enrol([persons[0], persons[1]], in: race)
      try rig.enrol([persons[2]], in: race, state: 1)
      try rig.enrol([persons[3]], in: race, state: 2)
      try rig.enrol([persons[4]], in: race, state: 4)
      for person in [persons[1], persons[5]] { #expect(try await rig.storage.races.observe(race, by: person)) }
      for person in [persons[1], persons[6]] {
        try rig.connection().query(
          "INSERT INTO race_invitation (race, person, invited_by) VALUES ($1, $2, $3)",
          [.int8(race), .int8(person), .int8(persons[0])])
      }
      let record = try #require(try await rig.storage.races.race(race))
      var plan = record.plan
      plan.name = "Corsa lunga"
      plan.schedule.starts += RaceRig.hour
      plan.schedule.enrolmentEnds -= RaceRig.hour / 2
      plan.courseID = try await rig.route(of: persons[0], latitude: 45.5)
      guard
        case .changed(let position) = try await rig.storage.decisions.change(
          record, to: plan, by: persons[0], at: RaceRig.now)
      else {
        Issue.record("nothing has changed")
        return
      }
      try await rig.rig.tellEverybody()
      #expect(try persons.map { try rig.told($0, 27) } == [1, 1, 1, 1, 0, 1, 1, 0])
      let connection = try rig.connection()
      #expect(try connection.query("SELECT count(*) FROM email_queue WHERE kind = 27").int64(0, 0) == 6)
      let entry = try connection.query(
        """
        SELECT position, kind::bigint, author, cardinality(persons)::bigint,
          (facts ->> 'old_start')::bigint, (facts ->> 'new_start')::bigint, (facts ->> 'old_deadline')::bigint,
          (facts ->> 'new_deadline')::bigint, (facts ->> 'new_length_m')::bigint, facts ? 'new_limit'
        FROM race_change WHERE race = $1
        """, [.int8(race)])
      #expect(entry.rowCount == 1)
      #expect(
        try (0..<8).map { try entry.int64(0, $0) } == [
          position, 12, persons[0], 0, record.schedule.starts, plan.schedule.starts, record.schedule.enrolmentEnds,
          plan.schedule.enrolmentEnds,
        ])
      #expect(try entry.int64(0, 8) > 1_100 && !entry.bool(0, 9))
      #expect(
        try await rig.storage.decisions.changes(of: race).map(\.change) == [
          RaceChange(race: race, kind: .planChanged, author: persons[0], time: RaceRig.now)
        ])
      let after = try #require(try await rig.storage.races.race(race))
      #expect(
        after.plan.name == "Corsa lunga" && after.courseID == plan.courseID && after.version == record.version + 1)
      #expect(after.schedule.starts == plan.schedule.starts)
      #expect(after.schedule.enrolmentEnds == plan.schedule.enrolmentEnds)
    }
  }

  @Test("places, numbers, payments and the waiting list stay; a hold ends with the deadline, and before the start")
  func kept() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 2, fee: 1_500)
      let persons = try await rig.persons(4)
      let paid = try await rig.enrol(persons[0], in: race).payment
      for state in [PaymentState.authorized, .captured] { try await rig.told(state, of: paid) }
      // A hold of a quarter of an hour, and, from the waiting list, one of a day.
      let short = try await rig.enrol(persons[1], in: race)
      try await rig.enrol(persons[2], in: race)
      try await rig.enrol(persons[3], in: race)
      let later = Rig.now + 15 * Self.minute
      try await rig.enrolments.lookAfterPlaces(at: later)
      let long = try #require(try await rig.enrolments.enrolment(of: persons[2], in: race))
      #expect(short.heldUntil == later && long.state == .awaitingPayment && long.heldUntil == Rig.now + Rig.day)

      let record = try await record(race, rig)
      let deadline = later + 60 * Self.minute
      let outcome = try await rig.storage.decisions.change(
        record, to: plan(record, starts: deadline + Self.minute, deadline: deadline), by: record.createdBy, at: later)
      #expect(outcome != .tooLate && outcome != .noRoute)
      let enrolled = try await rig.enrolments.enrolment(of: persons[0], in: race)
      #expect(enrolled?.state == .enrolled && enrolled?.number == 1)
      #expect(try rig.payment(paid) == [3, 0] && rig.payment(long.payment) == [1, 1])
      #expect(try await rig.enrolments.enrolment(of: persons[2], in: race)?.heldUntil == deadline)
      let waiting = try await rig.enrolments.enrolment(of: persons[3], in: race)
      #expect(waiting?.state == .waiting && waiting?.waitingPosition == 1)
      #expect(try rig.places(of: race) == [2, 1, 2, 1])

      // A quarter of an hour stays to whoever is to pay, but not into the race.
      let again = try await self.record(race, rig)
      let soon = later + 5 * Self.minute
      _ = try await rig.storage.decisions.change(
        again, to: plan(again, starts: soon + 10 * Self.minute, deadline: soon + Self.minute), by: again.createdBy,
        at: soon)
      #expect(
        try await rig.enrolments.enrolment(of: persons[2], in: race)?.heldUntil == soon + 10 * Self.minute)
    }
  }

  @Test("until the last microsecond before the deadline, and not in it; into the past never")
  func deadline() async throws {
    try await withStorage { rig in
      let race = try await rig.race()
      let first = try await record(race, rig)
      let ends = first.schedule.enrolmentEnds
      let decisions = rig.storage.decisions
      let late = plan(first, starts: ends + Rig.day, deadline: ends + 60 * Self.minute)
      #expect(try await decisions.change(first, to: late, by: first.createdBy, at: ends) == .tooLate)
      let past = plan(first, starts: ends + Rig.day, deadline: ends - 2)
      #expect(try await decisions.change(first, to: past, by: first.createdBy, at: ends - 2) == .tooLate)
      #expect(try await record(race, rig) == first)
      #expect(try rig.connection().query("SELECT count(*) FROM race_change").int64(0, 0) == 0)
      guard case .changed = try await decisions.change(first, to: late, by: first.createdBy, at: ends - 1) else {
        Issue.record("enrolment was open")
        return
      }
      // Drafts and races that do not enrol are not changed this way.
      for sql in ["is_opened = false", "is_opened = true, cancelled_at = starts_at - interval '10 years'"] {
        try rig.connection().query("UPDATE race SET \(sql)")
        let record = try await record(race, rig)
        #expect(
          try await decisions.change(
            record, to: plan(record, starts: record.schedule.starts + 1), by: record.createdBy, at: Rig.now) == .tooLate
        )
      }
    }
  }

  @Test("another version, a smaller capacity and a route of others change nothing")
  func refused() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(2)
      let race = try await rig.race(by: persons[0])
      let record = try #require(try await rig.storage.races.race(race))
      var smaller = record.plan
      smaller.capacity = 7
      smaller.schedule.starts += 1
      let decisions = rig.storage.decisions
      #expect(try await decisions.change(record, to: smaller, by: persons[0], at: RaceRig.now) == .tooLate)
      var foreign = record.plan
      foreign.courseID = try await rig.route(of: persons[1])
      #expect(try await decisions.change(record, to: foreign, by: persons[0], at: RaceRig.now) == .noRoute)
      try rig.connection().query("UPDATE race SET version = version + 1")
      var later = record.plan
      later.schedule.starts += 1
      #expect(try await decisions.change(record, to: later, by: persons[0], at: RaceRig.now) == .tooLate)
      #expect(try rig.told(persons[0], 27) == 0)
    }
  }

  @Test("of changes at once from one version one counts; enrolments at the same time lose nothing")
  func atOnce() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 5)
      let persons = try await rig.persons(20)
      let record = try await record(race, rig)
      let changed = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...6 {
          let plan = plan(record, starts: record.schedule.starts + Microseconds(number))
          group.addTask {
            let outcome = try await rig.storage.decisions.change(record, to: plan, by: record.createdBy, at: Rig.now)
            return if case .changed = outcome { number } else { 0 }
          }
        }
        for person in persons {
          group.addTask {
            try await rig.enrol(person, in: race)
            return 0
          }
        }
        return try await group.filter { $0 > 0 }.reduce(into: []) { $0.append($1) }
      }
      #expect(changed.count == 1)
      let after = try await self.record(race, rig)
      #expect(after.schedule.starts == record.schedule.starts + Microseconds(changed.first ?? 0))
      #expect(after.version == record.version + 1)
      #expect(try rig.places(of: race) == [5, 15, 5, 15])
      try await rig.tellEverybody()
      #expect(try rig.news(record.createdBy).filter { $0 == 27 }.count == 1)
    }
  }

  @Test("it waits for who has locked the race, and is decided by what that one has left")
  func underLock() async throws {
    try await withStorage { rig in
      let race = try await rig.race()
      let record = try await record(race, rig)
      let holder = try rig.connection()
      try holder.query("BEGIN")
      try holder.query("SELECT FROM race WHERE id = $1 FOR NO KEY UPDATE", [.int8(race)])
      async let outcome = rig.storage.decisions.change(
        record, to: plan(record, starts: record.schedule.starts + 1), by: record.createdBy, at: Rig.now)
      let other = try rig.connection()
      try await eventually {
        try other.query(
          "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        ).int64(0, 0) == 1
      }
      // The deadline was moved before its turn came.
      try holder.query(
        "UPDATE race SET enrolment_ends_at = $1", [.timestamptz(microsecondsSinceUnixEpoch: Rig.now - 1)])
      try holder.query("COMMIT")
      #expect(try await outcome == .tooLate)
    }
  }

  /// What happened before somebody leaves after the deadline, and whether the fee goes back.
  @Test(
    "A-R21.1: who leaves between deadline and start gets the fee back if dates have changed since the place was taken",
    arguments: [("nothing", false), ("change", true), ("postponement", true), ("change before", false)])
  func refund(_ event: String, _ isRefunded: Bool) async throws {
    try await withStorage("refund \(event)") { rig in
      let race = try await rig.race(capacity: 5, fee: 1_500)
      let person = try await rig.persons(1)[0]
      if event == "change before" { try await change(race, rig) }
      let payment = try await rig.enrol(person, in: race, at: Rig.now + 1).payment
      for state in [PaymentState.authorized, .captured] { try await rig.told(state, of: payment, at: Rig.now + 2) }
      if event == "change" { try await change(race, rig, at: Rig.now + 3) }
      if event == "postponement" {
        let record = try await record(race, rig)
        #expect(
          try await rig.storage.races.postpone(record, to: record.schedule.starts + Self.minute, at: Rig.now + 3))
      }
      let closed = try await record(race, rig).schedule.enrolmentEnds
      await #expect(throws: Enrolments.Refusal.needsDecision(.enrolmentClosed)) {
        try await rig.enrolments.withdraw(person, from: race, at: closed)
      }
      let leaving = RaceChange(race: race, kind: .withdrawn, persons: [person], author: person, time: closed)
      #expect(try await rig.storage.decisions.decide(leaving, as: .withdraw, reason: "") != nil)
      #expect(try await rig.state(person, in: race) == .withdrawn)
      #expect(try rig.payment(payment) == (isRefunded ? [3, 4] : [3, 0]))
    }
  }

  @Test("A-R21.1: a fee that is authorized and not captured yet is not taken from who leaves after a change")
  func voided() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      try await rig.told(.authorized, of: payment)
      try await change(race, rig)
      let closed = try await record(race, rig).schedule.enrolmentEnds
      let leaving = RaceChange(race: race, kind: .withdrawn, persons: [person], author: person, time: closed)
      #expect(try await rig.storage.decisions.decide(leaving, as: .withdraw, reason: "") != nil)
      #expect(try rig.payment(payment) == [2, 3])
    }
  }
}
