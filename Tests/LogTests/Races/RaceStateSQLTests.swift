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

@Suite(.timeLimit(.minutes(5))) struct RaceStateSQLTests {
  @Test("race_state in SQL is RaceSchedule.state, for random dates and in every microsecond around them")
  func sameState() async throws {
    try await withRaces { rig in
      let person = try rig.persons(1)[0]
      let course = try await rig.route(of: person)
      let connection = try rig.connection()
      var generator = Seeded(16)
      for round in 0..<60 {
        let starts = RaceRig.now + Microseconds.random(in: 0..<1_000_000_000_000, using: &generator)
        let limit = Microseconds.random(in: 60_000_000...RaceSchedule.maxTimeLimit, using: &generator)
        var schedule = RaceSchedule(
          starts: starts, enrolmentEnds: starts - Microseconds.random(in: 1...1_000_000_000_000, using: &generator),
          timeLimit: limit, isOpened: round % 5 != 0)
        if round % 3 == 0 { schedule.finished = starts + Microseconds.random(in: 0...limit * 2, using: &generator) }
        if round % 4 == 0 {
          schedule.cancelled = starts + Microseconds.random(in: -limit...limit * 2, using: &generator)
        }
        schedule.isDisabled = round % 7 == 0
        let optional = { (time: Microseconds?) -> Parameter in
          time.map { .timestamptz(microsecondsSinceUnixEpoch: $0) } ?? .null(TypeOID.timestamptz)
        }
        let race = try connection.query(
          """
          INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at,
            time_limit_us, is_opened, finished_at, cancelled_at, is_disabled, by_invitation,
            capacity)
          VALUES ($1, 'x', '', 'y', $2::text::uuid, $3, $4, $5, $6, $7, $8, $9, false, 10) RETURNING id
          """,
          [
            .int8(person), .text(course), optional(schedule.starts), optional(schedule.enrolmentEnds),
            .int8(schedule.timeLimit), .bool(schedule.isOpened), optional(schedule.finished),
            optional(schedule.cancelled), .bool(schedule.isDisabled),
          ]
        ).int64(0, 0)
        let dates = [
          schedule.starts, schedule.enrolmentEnds, schedule.ends, schedule.finished, schedule.cancelled,
          starts + limit, starts + Microseconds.random(in: -limit...limit * 3, using: &generator),
        ].compactMap { $0 }
        for time in dates.flatMap({ [$0 - 1, $0, $0 + 1] }) {
          let state = try connection.query(
            "SELECT race_state(r, $2)::integer FROM race r WHERE id = $1", [.int8(race), optional(time)]
          ).int32(0, 0)
          #expect(state == Int32(schedule.state(at: time).rawValue), "\(schedule) at \(time)")
        }
        #expect(try await rig.storage.races.race(race)?.schedule == schedule)
      }
    }
  }
}
