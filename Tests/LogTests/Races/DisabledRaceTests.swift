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

@Suite("Disabled races whose people leave", .timeLimit(.minutes(5)))
struct DisabledRaceTests {
  @Test("When the last organiser's account ends, a disabled race is cancelled, once, and everybody is paid back")
  func organizerLeaves() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(3)
      let race = try await rig.race(by: persons[0])
      let connection = try rig.connection()
      try rig.enrol([persons[2]], in: race)
      try pay(persons[2], race, connection)
      #expect(try await rig.storage.races.setDisabled(true, race, reason: "x", by: persons[1], at: RaceRig.now))
      for _ in 0..<2 { try await rig.storage.endRaces(of: persons[0], at: RaceRig.now + 1) }
      #expect(try await rig.storage.races.race(race)?.schedule.cancelled == RaceRig.now + 1)
      #expect(try connection.query("SELECT count(*) FROM race_change").int64(0, 0) == 1)
      while try await rig.storage.raceNotices.workOff() {}
      #expect(try connection.query("SELECT wish::integer FROM payment").int32(0, 0) == 4)
      // Nothing else cancels it meanwhile.
      let change = RaceChange(race: race, kind: .raceCancelled, author: persons[0], time: RaceRig.now + 2)
      #expect(try await rig.storage.decisions.decide(change, as: .cancel, reason: "") == nil)
    }
  }

  @Test("Whose account ends before the deadline of a disabled race is paid back")
  func runnerLeaves() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(2)
      let race = try await rig.race(by: persons[0])
      let connection = try rig.connection()
      try rig.enrol([persons[1]], in: race)
      try pay(persons[1], race, connection)
      #expect(try await rig.storage.races.setDisabled(true, race, reason: "x", by: persons[0], at: RaceRig.now))
      try await rig.storage.endRaces(of: persons[1], at: RaceRig.now + 1)
      #expect(try connection.query("SELECT wish::integer FROM payment").int32(0, 0) == 4)
    }
  }

  private func pay(_ person: PersonID, _ race: RaceID, _ connection: Connection) throws {
    try connection.query(
      """
      INSERT INTO payment (subject_kind, subject, description, payer, minor_units, currency, state, wish)
      VALUES (1, $1, '', $2, 1500, 'EUR', 3, 0)
      """, [.int8(race), .int8(person)])
  }
}
