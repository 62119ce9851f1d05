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

@Suite("Courses in storage")
struct CourseStoreTests {
  static func sample(altitudes: [Double] = [120, 131.5, 118]) throws -> Course {
    try Course(
      source: .gpx, latitudes: [45.4642, 45.468, 45.4655], longitudes: [9.19, 9.1925, 9.2001], altitudes: altitudes,
      start: Place(latitude: 45.4642, longitude: 9.19, name: "Duomo"),
      arrival: Place(latitude: 45.4655, longitude: 9.2001, name: "Arrivo “2”"),
      stages: [.init(place: Place(latitude: 45.468, longitude: 9.1925, name: "Scala"), distance: 466.25)],
      attribution: "© someone")
  }

  @Test("A-R17: a planned course comes back as it was, to the last bit, with who planned it")
  func comesBack() async throws {
    try await withStorage { rig in
      let planner = try rig.person()
      let courses = [try Self.sample(), try Self.sample(altitudes: [])]
      let ids = try #require(try await rig.storage.courses.insert(courses, plannedBy: planner))
      #expect(Set(ids).count == 2)
      for (id, course) in zip(ids, courses) {
        let found = try #require(try await rig.storage.courses.planned(id))
        #expect(found.course == course)
        #expect(found.planner == planner)
      }
    }
  }

  @Test(
    "What is no id finds no course, and is no error",
    arguments: [
      "", "x", "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-00000000000g", "{}", "'", "é",
    ])
  func unknown(id: String) async throws {
    try await withStorage { rig in
      let found = try await rig.storage.courses.course(id)
      #expect(found == nil)
    }
  }

  @Test("Old courses are removed, but for those that races have taken")
  func removal() async throws {
    try await withStorage { rig in
      let planner = try rig.person()
      let courses = rig.storage.courses
      let taken = try #require(try await courses.insert(Self.sample(), plannedBy: planner))
      let unused = try #require(try await courses.insert(Self.sample(), plannedBy: planner))
      try rig.connection().query(
        """
        INSERT INTO race (created_by, name, description, place_name, course, starts_at, enrolment_ends_at,
          time_limit_us, by_invitation, capacity)
        VALUES ($1, 'R', '', 'Milano', $2::uuid, now() + interval '2 days', now() + interval '1 day', 60000000, false, 5)
        """, [.int8(planner), .text(taken)])
      let planned = try #require(try await courses.planned(unused)).planned
      #expect(try await courses.removeUnused(before: planned) == 0)
      #expect(try await courses.course(unused) != nil)
      #expect(try await courses.removeUnused(before: planned + 1) == 1)
      #expect(try await courses.course(unused) == nil)
      #expect(try await courses.course(taken) != nil)
    }
  }

  @Test("What was stored and is no course by the rules of today counts as none")
  func stale() async throws {
    try await withRaces { rig in
      let person = try rig.persons(1)[0]
      let id = try await rig.route(of: person)
      #expect(try await rig.storage.courses.course(id) != nil)
      try rig.connection().query(
        "UPDATE course SET latitudes = '{45.47, 45.97}' WHERE id = $1::text::uuid", [.text(id)])
      #expect(try await rig.storage.courses.course(id) == nil)
    }
  }
}
