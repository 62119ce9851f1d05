import Domain
import Postgres
import SosRules
import Synchronization
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

@Suite struct SosStoreTests {
  private let now = GrantFixture.now

  @Test("A-R13, A-R14: every person has settings from registration on")
  func registration() async throws {
    try await withStorage { rig in
      let today = try #require(CalendarDate(utc: wallClock()))
      let old = try rig.person(born: "\(today.year - 61)-01-01")
      let young = try rig.person(born: "\(today.year - 59)-01-01")
      let store = rig.storage.sos
      #expect(try await store.settings(of: old)?.settings.isEnabled == true)
      #expect(try await store.settings(of: young) == SosRecord(settings: SosSettings(), version: 1))
      #expect(try await store.settings(of: 7) == nil)
    }
  }

  @Test("A-R14: persons who registered before have settings by their age, too")
  func migration() async throws {
    let database = try TemporaryCluster.shared().freshDatabase()
    let connection = try Connection(database)
    try Migrations([AreaTables].all.migrations.filter { $0.number < 14 }).apply(connection)
    let today = try #require(CalendarDate(utc: wallClock()))
    for (number, years) in [(1, 61), (2, 59)] {
      try connection.query("INSERT INTO account (kind) VALUES ('person')")
      try connection.query(
        "INSERT INTO person SELECT max(id), 'A', 'B', lpad($1, 16, 'A'), $2::date, 'male', 60, 170 FROM account",
        [.text("\(number)"), .text("\(today.year - years)-01-01")])
    }
    try Migrations([AreaTables].all.migrations).apply(connection)
    let rows = try connection.query("SELECT enabled FROM sos_settings ORDER BY person")
    #expect(try rows.rowCount == 2 && rows.bool(0, 0) && !rows.bool(1, 0))
  }

  @Test("A-R13: settings change only from the version that is known")
  func update() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      let store = rig.storage.sos
      var settings = SosSettings()
      settings.isEnabled = true
      settings.callbackNumber = PhoneNumber("+393331234567")
      settings.silence = SilenceRule(notifyAfterMinutes: 10, callAfterMinutes: 0)
      settings.usesOxygenScale2 = true
      settings.usesSupplementalOxygen = true
      settings.contacts = [
        EmergencyContact(name: "Bea", phone: PhoneNumber("+393331234568"), email: ""),
        EmergencyContact(name: "Carlo", phone: nil, email: "carlo@example.org"),
      ]
      let changed = SosRecord(
        settings: settings, version: 2, answers: ["+393331234568": .waiting, "carlo@example.org": .waiting])
      #expect(try await store.update(person, version: 1, to: settings) == changed)
      #expect(try await store.settings(of: person) == changed)
      #expect(try await store.update(person, version: 1, to: SosSettings()) == nil)
      #expect(try await store.update(person + 1, version: 1, to: SosSettings()) == nil)
      #expect(try await store.settings(of: person) == changed)
      #expect(try await store.update(person, version: 2, to: SosSettings())?.settings == SosSettings())
    }
  }

  @Test("limits replace the defaults of a metric, and each change is counted once")
  func thresholds() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      let store = rig.storage.sos
      let threshold = Threshold(
        rest: Limits(low: 40, high: 120.5, hold: 5_000_000, hysteresis: 2), exertion: nil)
      let open = Threshold(rest: nil, exertion: Limits(low: nil, high: 200, hold: 0, hysteresis: 0))
      #expect(try await store.set(threshold, of: 1, for: person) == 1)
      #expect(try await store.set(threshold, of: 1, for: person) == 1)
      #expect(try await store.set(open, of: 2, for: person) == 2)
      let rules = try #require(try await store.rules(of: person, at: now))
      #expect(rules.thresholds == [1: threshold, 2: open] && rules.thresholdsVersion == 2)
      #expect(rules.dateOfBirth?.text == "1980-12-31" && rules.sex == .female)
      #expect(try await store.set(nil, of: 1, for: person) == 3)
      #expect(try await store.set(nil, of: 1, for: person) == 3)
      #expect(try await store.rules(of: person, at: now)?.thresholds == [2: open])
      #expect(try await store.set(threshold, of: 1, for: person + 1) == nil)
    }
  }

  @Test("an exertion is declared once for each request id, ends early or is withdrawn, and 20 can be to come")
  func exertions() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      let store = rig.storage.sos
      func declare(_ time: Range<Microseconds>, _ id: String = "") async throws -> ExertionDeclaration {
        try await store.declare(time, for: person, requestID: id, at: now)
      }
      guard case .declared(let run) = try await declare(now - 10..<now + 1_000, "run") else { throw WaitedInVain() }
      #expect(try await declare(now..<now + 5, "run") == .declared(run))
      guard case .declared(let later) = try await declare(now + 500..<now + 600) else { throw WaitedInVain() }
      #expect(try await store.exertions(of: person, at: now) == [run, later])
      #expect(try await store.rules(of: person, at: now)?.exertions == [now - 10..<now + 1_000, now + 500..<now + 600])
      #expect(try await store.endExertion(run.id, of: person, at: now + 100))
      #expect(try await store.endExertion(later.id, of: person, at: now + 100))
      #expect(try await store.endExertion(later.id, of: person, at: now + 200))
      #expect(try await !store.endExertion(run.id, of: person + 1, at: now + 100))
      #expect(try await store.exertions(of: person, at: now) == [])
      #expect(try await declare(now..<now + 5, "run") == .declared(run))
      // What was withdrawn never was; the other ended when it was ended.
      #expect(try await store.rules(of: person, at: now)?.exertions == [now - 10..<now + 100])
      #expect(try await store.exertions(of: person, touching: now..<now + 1) == [now - 10..<now + 100])
      // A reading that is as late as one can be to raise a call finds the exertion from which the person recovers.
      let last = now + 100 + PersonMonitor.recovery + PersonMonitor.freshness
      for (time, isKept) in [(last, true), (now + 100 + SosStore.exertionAftermath, false)] {
        #expect(try await store.rules(of: person, at: time)?.exertions.isEmpty == !isKept)
      }
      for _ in 0..<20 { _ = try await declare(now + 1..<now + 2) }
      #expect(try await declare(now + 1..<now + 2) == .tooMany)
      #expect(try await store.declare(now..<now + 1, for: 7, requestID: "", at: now) == .noAccount)
    }
  }

  // The roster

  /// What a look hears of.
  private func look(
    _ rig: Rig, since mark: RosterMark?, at time: Microseconds = GrantFixture.now
  ) async throws -> (watched: [PersonID: MonitoredPerson], left: Set<PersonID>, next: RosterMark) {
    try await rig.pool.withConnection { connection in
      var watched: [PersonID: MonitoredPerson] = [:]
      var left: Set<PersonID> = []
      let next = try SosStore.changes(connection, since: mark, at: time) { changes in
        for change in changes {
          switch change {
          case .watched(let person): watched[person.person] = person
          case .left(let person): left.insert(person)
          }
        }
      }
      return (watched, left, next)
    }
  }

  @Test("A-R13: the first look finds whose readings are checked, later ones what has changed of whom")
  func roster() async throws {
    try await withStorage { rig in
      let today = try #require(CalendarDate(utc: wallClock()))
      let old = try (0..<3).map { _ in try rig.person(born: "\(today.year - 70)-05-05") }
      let young = try rig.person(born: "\(today.year - 20)-05-05")
      let store = rig.storage.sos
      let first = try await look(rig, since: nil)
      #expect(Set(first.watched.keys) == Set(old) && first.left.isEmpty)
      let quiet = try await look(rig, since: first.next)
      #expect(quiet.watched.isEmpty && quiet.left.isEmpty)

      var settings = SosSettings()
      settings.isEnabled = true
      settings.contacts = [EmergencyContact(name: "Bea", phone: PhoneNumber("+393331234568"), email: "")]
      _ = try await store.update(young, version: 1, to: settings)
      try rig.confirmContacts(of: young)
      _ = try await store.update(old[0], version: 1, to: SosSettings())
      let limits = Threshold(rest: Limits(low: 45, hysteresis: 1), exertion: nil)
      _ = try await store.set(limits, of: 1, for: old[1])
      _ = try await store.declare(now..<now + 9, for: old[2], requestID: "", at: now)
      let second = try await look(rig, since: quiet.next)
      #expect(Set(second.watched.keys) == [young, old[1], old[2]] && second.left == [old[0]])
      #expect(second.watched[young]?.settings == settings)
      #expect(second.watched[old[1]]?.thresholds == [1: limits])
      #expect(second.watched[old[2]]?.exertions == [now..<now + 9])
      #expect(try await look(rig, since: second.next).watched.isEmpty)
      // Who has ended is left.
      try rig.connection().query("UPDATE account SET password_hash = 'h' WHERE id = $1", [.int8(young)])
      _ = try await rig.storage.erasures.deactivate(
        young, passwordHash: "h", receipt: .init(repeating: 1, count: 32), at: now)
      #expect(try await look(rig, since: second.next).left == [young])
    }
  }

  @Test("a change that is committed after a look, but was begun before it, is in the next one")
  func slowCommit() async throws {
    try await withStorage { rig in
      let person = try rig.person(born: "1930-05-05")
      let slow = try rig.connection()
      _ = try slow.execute("BEGIN")
      _ = try slow.query(
        "UPDATE sos_settings SET enabled = false, changed_in = pg_current_xact_id() WHERE person = $1", [.int8(person)])
      let other = try rig.person(born: "1930-05-05")
      let first = try await look(rig, since: nil)
      #expect(Set(first.watched.keys) == [person, other])
      let second = try await look(rig, since: first.next)
      #expect(second.left.isEmpty)
      _ = try slow.execute("COMMIT")
      let third = try await look(rig, since: second.next)
      #expect(third.left == [person])
      #expect(try await look(rig, since: third.next).left.isEmpty)
    }
  }

  @Test("rows of a dump, whose transactions are ahead of the cluster's, don't come again with every look")
  func dump() async throws {
    try await withStorage { rig in
      _ = try rig.person(born: "1930-05-05")
      try rig.connection().query("UPDATE sos_settings SET changed_in = '9000000000'::xid8")
      let first = try await look(rig, since: nil)
      #expect(first.watched.count == 1)
      #expect(try await look(rig, since: try await look(rig, since: first.next).next).watched.isEmpty)
    }
  }
}
