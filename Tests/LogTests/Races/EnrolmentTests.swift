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

@Suite("A-R21: places in races")
struct EnrolmentTests {
  private typealias Refusal = Enrolments.Refusal

  @Test("A-R21: whoever enrols in time has a place and a number; enrolling again changes nothing")
  func enrolling() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 2)
      let persons = try await rig.persons(2)
      let first = try await rig.enrol(persons[0], in: race)
      #expect(first.state == .enrolled)
      #expect(first.number == 1)
      #expect(first.runnerName == "Ada Rossi")
      #expect(try await rig.enrol(persons[0], in: race) == first)
      #expect(
        try await rig.enrolments.enrol(persons[1], in: race, name: "Bea", link: nil, canPay: false, at: Rig.now)
          .runnerName == "Bea")
      #expect(try rig.places(of: race) == [2, 0, 2, 0])
    }
  }

  @Test("A-R21: when all places are taken persons wait, and who gives a place back gives it to the first of them")
  func waitingList() async throws {
    try await withStorage { rig in
      let race = try await rig.race()
      let persons = try await rig.persons(4)
      for person in persons { try await rig.enrol(person, in: race) }
      #expect(try await rig.enrolments.enrolment(of: persons[3], in: race)?.waitingPosition == 3)
      #expect(try rig.places(of: race) == [1, 3, 1, 3])

      #expect(try await rig.enrolments.withdraw(persons[1], from: race, at: Rig.now).state == .withdrawn)
      #expect(try await rig.enrolments.withdraw(persons[0], from: race, at: Rig.now).number == 0)
      let third = try await rig.enrolments.enrolment(of: persons[2], in: race)
      #expect(third?.state == .enrolled)
      #expect(third?.number == 2, "no number is given twice")
      #expect(try rig.news(persons[2]) == [18])
      // Whoever comes back comes last.
      #expect(try await rig.enrol(persons[1], in: race).waitingPosition == 2)
      #expect(try rig.places(of: race) == [1, 2, 1, 2])
      // Giving back what was given back is nothing.
      #expect(try await rig.enrolments.withdraw(persons[0], from: race, at: Rig.now).state == .withdrawn)
    }
  }

  @Test("A-R21: ten thousand attempts for one place: one winner, everybody else waits in order, nobody twice")
  func stampede() async throws {
    try await withStorage { rig in
      let race = try await rig.race()
      let persons = try await rig.persons(10_000)
      let began = ContinuousClock.now
      let won = Counter()
      let lanes = 32
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
          group.addTask {
            for index in stride(from: lane, to: persons.count, by: lanes) {
              if try await rig.enrol(persons[index], in: race).state == .enrolled { won.add(1) }
            }
          }
        }
        try await group.waitForAll()
      }
      print("10,000 attempts in storage: \(ContinuousClock.now - began)")
      #expect(won.value == 1)
      #expect(try rig.places(of: race) == [1, 9_999, 1, 9_999])
      let list = try rig.connection().query(
        "SELECT count(DISTINCT queue_place), count(DISTINCT person) FROM race_enrolment WHERE race = $1 AND state = 1",
        [.int8(race)])
      #expect(try list.int64(0, 0) == 9_999)
      #expect(try list.int64(0, 1) == 9_999)
    }
  }

  @Test("A-R21: the same person at many doors has one place")
  func samePersonAtOnce() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 5, fee: 1_500)
      let person = try await rig.persons(1)[0]
      try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<50 { group.addTask { try await rig.enrol(person, in: race).payment } }
        var payments: Set<String?> = []
        for try await payment in group { payments.insert(payment) }
        #expect(payments.count == 1)
      }
      #expect(try rig.connection().query("SELECT count(*) FROM payment", []).int64(0, 0) == 1)
      #expect(try rig.places(of: race) == [1, 0, 1, 0])
    }
  }

  @Test("A-R21: places change hands at random between many, and are never too many")
  func comingAndGoing() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 7)
      let persons = try await rig.persons(40)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<8 {
          group.addTask {
            var random = SystemRandomNumberGenerator()
            for _ in 0..<60 {
              let person = persons[Int.random(in: 0..<persons.count, using: &random)]
              if Bool.random(using: &random) {
                try await rig.enrol(person, in: race)
              } else {
                do { _ = try await rig.enrolments.withdraw(person, from: race, at: Rig.now) } catch Refusal.notEnrolled
                {}
              }
              if lane == 0 { #expect(try rig.places(of: race)[0] <= 7) }
            }
          }
        }
        try await group.waitForAll()
      }
      let places = try rig.places(of: race)
      #expect(places[0] == places[2] && places[1] == places[3])
      #expect(places[0] == 7 || places[1] == 0, "nobody waits while there is a place")
      let numbers = try rig.connection().query(
        "SELECT count(*) FILTER (WHERE (state = 3) <> (number IS NOT NULL)) FROM race_enrolment WHERE race = $1",
        [.int8(race)])
      #expect(try numbers.int64(0, 0) == 0)
    }
  }

  @Test("A-R21: who waits gets the places of a capacity that has grown")
  func moreCapacity() async throws {
    try await withStorage { rig in
      let race = try await rig.race()
      let persons = try await rig.persons(4)
      for person in persons { try await rig.enrol(person, in: race) }
      try rig.connection().query("UPDATE race SET capacity = 3 WHERE id = $1", [.int8(race)])
      #expect(try await rig.enrolments.lookAfterPlaces(at: Rig.now) == 2)
      #expect(try await rig.enrolments.lookAfterPlaces(at: Rig.now) == 0)
      #expect(try await rig.enrolments.enrolment(of: persons[2], in: race)?.number == 3)
      #expect(try rig.places(of: race) == [3, 1, 3, 1])
    }
  }

  @Test("A-R21: enrolment is open between publication and deadline, to those who have an account")
  func states() async throws {
    try await withStorage { rig in
      let person = try await rig.persons(1)[0]
      let draft = try await rig.race(isOpened: false)
      await #expect(throws: Refusal.noRace) { try await rig.enrol(person, in: draft) }
      await #expect(throws: Refusal.noRace) { try await rig.enrol(person, in: 99_999) }
      let race = try await rig.race()
      await #expect(throws: Refusal.state(.enrolmentClosed)) {
        try await rig.enrol(person, in: race, at: Rig.now + Rig.day)
      }
      await #expect(throws: Refusal.state(.running)) {
        try await rig.enrol(person, in: race, at: Rig.now + 2 * Rig.day)
      }
      await #expect(throws: Refusal.notEnrolled) {
        try await rig.enrolments.withdraw(person, from: race, at: Rig.now)
      }
      try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(person)])
      await #expect(throws: Refusal.noAccount) { try await rig.enrol(person, in: race) }
    }
  }

  @Test("A-R21: after the deadline the leaderboard depends on who leaves, so storage leaves it to the log")
  func leavingLate() async throws {
    try await withStorage { rig in
      let race = try await rig.race()
      let persons = try await rig.persons(2)
      for person in persons { try await rig.enrol(person, in: race) }
      await #expect(throws: Refusal.needsDecision(.enrolmentClosed)) {
        try await rig.enrolments.withdraw(persons[0], from: race, at: Rig.now + Rig.day)
      }
      await #expect(throws: Refusal.needsDecision(.running)) {
        try await rig.enrolments.withdraw(persons[0], from: race, at: Rig.now + 2 * Rig.day)
      }
      await #expect(throws: Refusal.state(.finished)) {
        try await rig.enrolments.withdraw(persons[0], from: race, at: Rig.now + 3 * Rig.day)
      }
      // Who waits depends on nothing.
      #expect(try await rig.enrolments.withdraw(persons[1], from: race, at: Rig.now + Rig.day).state == .withdrawn)
      let change = RaceChange(
        race: race, kind: .withdrawn, persons: [persons[0]], author: persons[0], time: Rig.now + Rig.day)
      _ = try #require(try await rig.storage.decisions.decide(change, as: .withdraw, reason: ""))
      #expect(try await rig.state(persons[0], in: race) == .withdrawn)
      #expect(try rig.places(of: race) == [0, 0, 0, 0])
    }
  }

  @Test("A-R21: organisers read the list by number, then by the order of the waiting list, page by page")
  func listing() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 3)
      let persons = try await rig.persons(8)
      for person in persons { try await rig.enrol(person, in: race) }
      var seen: [PersonID] = []
      var place: EnrolmentPlace?
      while case let page = try await rig.enrolments.list(of: race, states: [], after: place, limit: 3), !page.isEmpty {
        seen += page.map(\.person)
        place = page.last.map { EnrolmentPlace(of: $0) }
      }
      #expect(seen == persons)
      #expect(
        try await rig.enrolments.list(of: race, states: [.waiting], after: nil, limit: 100).map(\.person)
          == Array(persons[3...]))
      let waiting = try await rig.enrolments.list(
        of: race, states: [], after: EnrolmentPlace(isWithoutNumber: false, value: 3), limit: 100)
      #expect(waiting.map(\.waitingPosition) == [1, 2, 3, 4, 5])
    }
  }
}
