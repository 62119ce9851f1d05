import Domain
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

@Suite(.timeLimit(.minutes(5))) struct RaceStoreTests {
  @Test("A-R16: of the same request at once, one race comes")
  func oneRequest() async throws {
    try await withRaces { rig in
      let person = try rig.persons(1)[0]
      let plan = RacePlan(
        name: "Corsa", placeName: "Milano",
        schedule: RaceSchedule(starts: RaceRig.now + 2, enrolmentEnds: RaceRig.now + 1, timeLimit: 60_000_000),
        courseID: try await rig.route(of: person))
      let outcomes = try await withThrowingTaskGroup(of: RaceStore.Creation.self) { group in
        for _ in 0..<8 {
          group.addTask { try await rig.storage.races.create(plan, by: person, requestID: "r", at: RaceRig.now) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { if case .created = $0 { true } else { false } } == 1)
      #expect(outcomes.count { if case .repeated = $0 { true } else { false } } == 7)
      #expect(try rig.connection().query("SELECT count(*) FROM race", []).int64(0, 0) == 1)
    }
  }

  @Test("a route is for its planner alone, and for a day")
  func routes() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(2)
      let schedule = RaceSchedule(starts: RaceRig.now + 2, enrolmentEnds: RaceRig.now + 1, timeLimit: 60_000_000)
      let plan = RacePlan(
        name: "Corsa", placeName: "Milano", schedule: schedule, courseID: try await rig.route(of: persons[0]))
      let day = 24 * RaceRig.hour
      try rig.connection().query(
        "UPDATE course SET planned_at = $1", [.timestamptz(microsecondsSinceUnixEpoch: RaceRig.now)])
      let races = rig.storage.races
      #expect(try await races.create(plan, by: persons[1], requestID: nil, at: RaceRig.now) == .noRoute)
      #expect(try await races.create(plan, by: persons[0], requestID: nil, at: RaceRig.now + day) == .noRoute)
      guard case .created = try await races.create(plan, by: persons[0], requestID: nil, at: RaceRig.now + day - 1)
      else {
        Issue.record("a route of less than a day ago was refused")
        return
      }
    }
  }

  @Test("a person organises at most 100 races that are not over")
  func limit() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(2)
      let first = try await rig.race(by: persons[0])
      let other = try await rig.race(by: persons[1])
      try rig.connection().query(
        """
        WITH made AS (
          INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at,
            time_limit_us, by_invitation, capacity)
          SELECT created_by, name, '', 'x', course, starts_at, enrolment_ends_at, time_limit_us, false, 1
          FROM race, generate_series(2, 100) WHERE id = $1 RETURNING id
        ) INSERT INTO race_organizer SELECT id, $2 FROM made
        """, [.int8(first), .int8(persons[0])])
      await #expect(throws: RaceRig.NoRace.self) { _ = try await rig.race(by: persons[0]) }
      #expect(try await rig.storage.races.addOrganizer("runner-1", to: other, at: RaceRig.now) == .tooManyRaces)
      // What is over does not count.
      #expect(
        try await rig.storage.decisions.decide(
          RaceChange(race: first, kind: .raceCancelled, author: persons[0], time: RaceRig.now), as: .cancel, reason: "")
          != nil)
      #expect(try await rig.storage.races.addOrganizer("RUNNER-1", to: other, at: RaceRig.now) == .done)
    }
  }

  @Test("a person who is made an organiser of many races at once organises at most 100")
  func limitAtOnce() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(2)
      let first = try await rig.race(by: persons[0])
      try rig.connection().query(
        """
        WITH made AS (
          INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at,
            time_limit_us, by_invitation, capacity)
          SELECT created_by, name, '', 'x', course, starts_at, enrolment_ends_at, time_limit_us, false, 1
          FROM race, generate_series(1, 95) WHERE id = $1 RETURNING id
        ) INSERT INTO race_organizer SELECT id, $2 FROM made
        """, [.int8(first), .int8(persons[0])])
      var others: [RaceID] = []
      for _ in 0..<30 { others.append(try await rig.race(by: persons[1])) }
      let races = rig.storage.races
      let outcomes = try await withThrowingTaskGroup(of: RaceStore.OrganizerChange.self) { group in
        for race in others {
          group.addTask { try await races.addOrganizer("runner-1", to: race, at: RaceRig.now) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == .done } == 4 && outcomes.count { $0 == .tooManyRaces } == 26)
    }
  }

  @Test("A-R19.1: whoever is runner, observer, invited and organiser at once is told once, and so is each other one")
  func toldOnce() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(7)
      let race = try await rig.race(by: persons[0], byInvitation: true)
      for person in [persons[1], persons[6]] {
        try rig.connection().query(
          "INSERT INTO race_invitation (race, person, invited_by) VALUES ($1, $2, $3)",
          [.int8(race), .int8(person), .int8(persons[0])])
      }
      try rig.enrol([persons[0], persons[1]], in: race)
      try rig.enrol([persons[2]], in: race, state: 1)
      try rig.enrol([persons[3]], in: race, state: 4)
      for person in [persons[0], persons[1], persons[4]] {
        #expect(try await rig.storage.races.observe(race, by: person))
      }
      let record = try #require(try await rig.storage.races.race(race))
      #expect(try await rig.storage.races.postpone(record, to: record.schedule.starts + 1, at: RaceRig.now))
      try await rig.rig.tellEverybody()
      #expect(try persons.map { try rig.told($0, 14) } == [1, 1, 1, 0, 1, 0, 1])
      let again = try await rig.storage.races.postpone(record, to: record.schedule.starts + 2, at: RaceRig.now)
      #expect(!again, "it has another version")
      try await rig.rig.tellEverybody()
      #expect(try persons.map { try rig.told($0, 14) } == [1, 1, 1, 0, 1, 0, 1])
      let mails = try rig.connection().query("SELECT count(*) FROM email_queue WHERE kind = 14", [])
      #expect(try mails.int64(0, 0) == 5)
    }
  }

  @Test("A-R19, A-R21.1: cancelling asks for what was taken back, and takes nothing else")
  func refunds() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(7)
      let race = try await rig.race(by: persons[0])
      try rig.enrol([persons[1]], in: race)
      for (state, person) in zip(1...6, persons.dropFirst()) {
        try rig.connection().query(
          """
          INSERT INTO payment (subject_kind, subject, description, payer, minor_units, currency, state, wish)
          VALUES (1, $1, '', $2, 1500, 'EUR', $3, 0)
          """, [.int8(race), .int8(person), .int2(Int16(state))])
      }
      let change = RaceChange(race: race, kind: .raceCancelled, author: persons[0], time: RaceRig.now)
      #expect(try await rig.storage.decisions.decide(change, as: .cancel, reason: "Storm") != nil)
      try await rig.rig.tellEverybody()
      let wishes = try rig.connection().query("SELECT array_agg(wish::bigint ORDER BY state) FROM payment", [])
      #expect(try wishes.int64Array(0, 0) == [3, 3, 4, 0, 0, 0])
      #expect(try rig.told(persons[1], 15) == 1)
      #expect(try await rig.storage.decisions.decide(change, as: .cancel, reason: "Storm") == nil)
      try await rig.rig.tellEverybody()
      #expect(try rig.told(persons[1], 15) == 1)
    }
  }

  @Test("A-R18: 5,000 runners are marked present in one entry of the log, within seconds")
  func many() async throws {
    try await withRaces { rig in
      let persons = try rig.persons(5_001)
      let race = try await rig.race(by: persons[0])
      try rig.enrol(Array(persons.dropFirst()), in: race)
      let change = RaceChange(
        race: race, kind: .present, persons: Array(persons.dropFirst()), author: persons[0],
        time: RaceRig.now + RaceRig.hour)
      let begin = ContinuousClock.now
      let marks = try await rig.storage.races.marks(of: race, Array(1...5_000))
      #expect(marks.count == 5_000 && marks.values.allSatisfy { !$0.isPresent })
      #expect(try await rig.storage.decisions.decide(change, as: .markPresent, reason: "") != nil)
      #expect(ContinuousClock.now - begin < .seconds(10))
      #expect(try await rig.storage.decisions.changes(of: race).map(\.change) == [change])
      #expect(try await rig.storage.races.runners(of: race).map(\.number) == Array(1...5_000))
    }
  }

  @Test("A-R20: races are found nearby by distance, by words with typing errors, and by date, page by page")
  func search() async throws {
    try await withRaces { rig in
      let person = try rig.persons(1)[0]
      let races = rig.storage.races
      var near: [RaceID] = []
      for kilometre in 0..<7 {
        near.append(
          try await rig.race(
            by: person, name: "Giro \(kilometre)", place: "Monza", latitude: 45.5 + Double(6 - kilometre) / 111.13))
      }
      let roma = try await rig.race(
        by: person, name: "Maratona di Roma", place: "Roma", starts: RaceRig.now + 50 * RaceRig.hour, latitude: 41.9,
        longitude: 12.48)
      _ = try await rig.race(by: person, name: "Draft", latitude: 45.5, opened: false)
      _ = try await rig.race(by: person, name: "Private", latitude: 45.5, byInvitation: true)
      let cancelled = try await rig.race(by: person, name: "Cancelled", latitude: 45.5)
      _ = try await rig.storage.decisions.decide(
        RaceChange(race: cancelled, kind: .raceCancelled, author: person, time: RaceRig.now), as: .cancel, reason: "")

      let all = RaceRig.now..<RaceRig.now + 1_000 * RaceRig.hour
      let centre = Place(latitude: 45.5, longitude: 9.17)
      func pages(_ query: RaceQuery) async throws -> [FoundRace] {
        var (found, place): ([FoundRace], RacePlace?) = ([], nil)
        while true {
          let page = try await races.search(query, after: place, limit: 3)
          found += page
          guard page.count == 3 else { return found }
          place = page[2].place
        }
      }
      let nearby = try await pages(RaceQuery(near: .init(centre: centre, radius: 50_000), time: all))
      #expect(nearby.map(\.race.id) == near.reversed())
      for (kilometre, found) in nearby.enumerated() {
        #expect(abs(try #require(found.distance) - Double(kilometre) * 1_000) < 10)
      }
      #expect(try await pages(RaceQuery(near: .init(centre: centre, radius: 3_500), time: all)).count == 4)
      #expect(try await pages(RaceQuery(near: .init(centre: centre, radius: 20_000_000), time: all)).count == 8)

      for text in ["Maratona di Roma", "maratona", "Maratna", "roma maratona", "Rooma"] {
        #expect(try await pages(RaceQuery(text: text, time: all)).first?.race.id == roma, "\(text)")
      }
      #expect(try await pages(RaceQuery(text: "Monza", time: all)).count == 7)
      #expect(try await pages(RaceQuery(text: "Stoccolma", time: all)).isEmpty)
      #expect(try await pages(RaceQuery(text: "%", time: all)).isEmpty)
      #expect(
        try await pages(RaceQuery(near: .init(centre: centre, radius: 50_000), text: "giro 3", time: all))
          .contains { $0.race.name == "Giro 3" })

      let late = RaceRig.now + 3 * RaceRig.hour..<RaceRig.now + 1_000 * RaceRig.hour
      #expect(try await pages(RaceQuery(time: late)).map(\.race.id) == [roma])
      let byStart = try await pages(RaceQuery(time: all)).map(\.race.id)
      #expect(byStart == near + [roma])
    }
  }

  @Test("A-R20: a search nearby uses the index of places")
  func searchIndex() async throws {
    try await withRaces { rig in
      let person = try rig.persons(1)[0]
      _ = try await rig.race(by: person)
      let connection = try rig.connection()
      _ = try connection.execute("SET enable_seqscan = off")
      let plan = try connection.query(
        """
        EXPLAIN SELECT r.id FROM race r JOIN course c ON c.id = r.course
        WHERE ST_DWithin(c.start_at, ST_SetSRID(ST_MakePoint($1, $2), 4326)::geography, $3)
        """, [.float8(9.17), .float8(45.47), .float8(50_000)])
      let lines = try (0..<plan.rowCount).map { try plan.string($0, 0) }
      #expect(lines.contains { $0.contains("course_start_at") })
      let words = try connection.query(
        "EXPLAIN SELECT id FROM race r WHERE $1 <% (r.name || ' ' || r.place_name)", [.text("Roma")])
      #expect(try (0..<words.rowCount).map { try words.string($0, 0) }.contains { $0.contains("race_text") })
    }
  }
}
