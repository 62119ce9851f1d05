import Domain
import Postgres
import SosRules
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Sharing
@testable import Sos

@Suite struct EmergencyStoreTests {
  private let now = GrantFixture.now
  private let contacts = [
    EmergencyContact(name: "Bea", phone: PhoneNumber("+393331234568"), email: ""),
    EmergencyContact(name: "Carlo", phone: nil, email: "carlo@example.org"),
  ]

  @Test("everything of an emergency comes back as it was written")
  func roundTrip() async throws {
    try await withStorage { rig in
      let emergency = Emergency.sample(
        try rig.person(), states: [.detected, .dispatching, .accepted], contacts: contacts)
      try await rig.storage.emergencies.record(emergency)
      #expect(try await rig.storage.emergencies.find(emergency.id, of: emergency.person) == emergency)
      #expect(try await rig.storage.emergencies.find(emergency.id, of: emergency.person + 1) == nil)
    }
  }

  @Test("writing it again, or an older one after a newer one, changes nothing and tells nobody twice")
  func idempotent() async throws {
    try await withStorage { rig in
      let person = try rig.person(email: "ada@example.org")
      let store = rig.storage.emergencies
      func sample(_ states: [EmergencyState]) -> Emergency { .sample(person, states: states, contacts: contacts) }
      let first = sample([.detected])
      let over = sample([.detected, .dispatching, .accepted, .resolved])
      try await store.record(first)
      #expect(try rig.told(person) == ([11], ["11 ada@example.org", "11 carlo@example.org"]))
      try await store.record(first)
      try await store.record(sample([.detected, .dispatching]))
      #expect(try rig.told(person).inbox == [11])
      try await store.record(over)
      try await store.record(over)
      try await store.record(first)
      #expect(try await store.find(first.id, of: person) == over)
      #expect(
        try rig.told(person) == ([11, 12], ["11 ada@example.org", "11 carlo@example.org", "12 ada@example.org"]))
      #expect(try rig.connection().query("SELECT count(*) FROM emergency").int64(0, 0) == 1)
    }
  }

  @Test("written for the first time when it is over, it is told as both; a false alarm is told to no contact")
  func lateRecord() async throws {
    try await withStorage { rig in
      let (one, other) = (try rig.person(email: "one@example.org"), try rig.person(email: "other@example.org"))
      try await rig.storage.emergencies.record(.sample(one, states: [.detected, .cancelled], contacts: contacts))
      #expect(try rig.told(one) == ([11, 12], ["11 one@example.org", "12 one@example.org"]))
      try await rig.storage.emergencies.record(.sample(other, states: [.detected, .resolved], contacts: contacts))
      #expect(try rig.told(other).mails.contains("11 carlo@example.org"))
    }
  }

  @Test("written by many at once, the newest stays and everybody is told once")
  func races() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      let states: [EmergencyState] = [.detected, .dispatching, .accepted, .enRoute, .resolved]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for count in (1...5).shuffled() + (1...5).shuffled() {
          group.addTask {
            try await rig.storage.emergencies.record(
              .sample(person, states: Array(states.prefix(count)), contacts: contacts))
          }
        }
        try await group.waitForAll()
      }
      let id = Emergency.sample(person).id
      #expect(try await rig.storage.emergencies.find(id, of: person)?.state == .resolved)
      #expect(try rig.told(person) == ([11, 12], ["11 carlo@example.org"]))
    }
  }

  @Test("nothing that was measured is in what is told")
  func noReadings() async throws {
    try await withStorage { rig in
      let person = try rig.person(email: "ada@example.org")
      try await rig.storage.emergencies.record(.sample(person, states: [.detected, .cancelled], contacts: contacts))
      let rows = try rig.connection().query(
        "SELECT facts::text FROM notification UNION SELECT facts::text FROM email_queue")
      for row in 0..<rows.rowCount {
        let facts = try rows.string(row, 0)
        for word in ["190", "131", "45.4", "9.19", "heart", "Ada", "39333"] { #expect(!facts.contains(word)) }
        #expect(facts.contains("2023-11-14 22:13 UTC"))
      }
    }
  }

  @Test("the unfinished, and those that changed after a time")
  func unfinished() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      let store = rig.storage.emergencies
      let old = Emergency.sample(person, at: now - 100, states: [.detected, .resolved])
      let open = Emergency.sample(person, at: now - 50_000_000, states: [.detected, .dispatching])
      let fresh = Emergency.sample(person, at: now, states: [.detected, .cancelled])
      for emergency in [fresh, old, open] { try await store.record(emergency) }
      #expect(try await store.unfinished(orChangedAfter: .max) == [open])
      #expect(try await store.unfinished(orChangedAfter: old.changed) == [open, fresh])
      #expect(try await store.unfinished(orChangedAfter: 0) == [open, old, fresh])
      #expect(try await store.newestTransition() == fresh.changed)
      #expect(try await store.changed(of: person, after: open.changed, limit: 1) == [old])
      #expect(try await store.changed(of: person + 1, after: 0, limit: 1) == [])
    }
  }

  @Test("a person's list goes from the newest to the oldest")
  func list() async throws {
    try await withStorage { rig in
      let (person, other) = (try rig.person(), try rig.person())
      let store = rig.storage.emergencies
      let all = [now, now - 1, now - 2].map { Emergency.sample(person, at: $0) }
      for emergency in all.shuffled() + [.sample(other)] { try await store.record(emergency) }
      #expect(try await store.list(of: person, detectedUpTo: .max, limit: 10) == all)
      #expect(try await store.list(of: person, detectedUpTo: now - 1, limit: 1) == [all[1]])
    }
  }

  @Test("beyond the budget of calls the person is told, and contacts get no mail")
  func beyondTheBudget() async throws {
    try await withStorage { rig in
      let person = try rig.person(email: "ada@example.org")
      for (number, mails) in [(Emergency.callBudget - 1, 1), (Emergency.callBudget, 0)] {
        var emergency = Emergency.sample(person, at: now + Int64(number), contacts: contacts)
        emergency.earlier = number
        let before = try rig.told(person).mails.count { $0 == "11 carlo@example.org" }
        try await rig.storage.emergencies.record(emergency)
        #expect(try rig.told(person).mails.count { $0 == "11 carlo@example.org" } == before + mails)
        #expect(try await rig.storage.emergencies.find(emergency.id, of: person) == emergency)
      }
      #expect(try rig.told(person).inbox == [11, 11])
    }
  }

  @Test("a silence is told to the person and by mail, once")
  func silence() async throws {
    try await withStorage { rig in
      let person = try rig.person(email: "ada@example.org")
      func notice(since: Microseconds) -> SilenceNotice {
        SilenceNotice(
          person: person, since: since, at: since + 600_000_000, cause: .unknown, position: nil, contacts: contacts)
      }
      for _ in 0..<3 { try await rig.storage.emergencies.record(notice(since: now), status: .actual) }
      #expect(try rig.told(person) == ([13], ["13 ada@example.org", "13 carlo@example.org"]))
      try await rig.storage.emergencies.record(notice(since: now + 1), status: .actual)
      #expect(try rig.told(person).inbox == [13, 13])
    }
  }

  @Test("an emergency of somebody without an account is not kept, and is no error")
  func withoutAccount() async throws {
    try await withStorage { rig in
      try await rig.storage.emergencies.record(.sample(7))
      #expect(try await rig.storage.emergencies.unfinished(orChangedAfter: 0) == [])
    }
  }
}
