import Domain
import Postgres
import SosRules
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// Who is asked whether to be somebody's contact, how often, and what the answer changes.
@Suite struct ContactStoreTests {
  private let bea = EmergencyContact(name: "Bea", phone: PhoneNumber("+393331234568"), email: "")
  private let carlo = EmergencyContact(name: "Carlo", phone: nil, email: "Carlo@Example.org")

  /// Puts a code into mails that ask.
  private func stamp(_ number: UInt8) -> MailStamp {
    MailStamp(kind: ContactStore.mailKind) { [code = code(number)] connection, person, address in
      try ContactStore.putCode(code, of: person, at: address, connection) ? [:] : nil
    }
  }

  private func code(_ number: UInt8) -> [UInt8] { .init(repeating: number, count: 32) }

  /// Names contacts in the place of those who were.
  private func name(_ contacts: [EmergencyContact], of person: PersonID, _ rig: Rig) async throws {
    let version = try #require(try await rig.storage.sos.settings(of: person)?.version)
    var settings = SosSettings()
    settings.isEnabled = true
    settings.contacts = contacts
    #expect(try await rig.storage.sos.update(person, version: version, to: settings) != nil)
  }

  private func told(_ person: PersonID, _ rig: Rig) async throws -> [EmergencyContact] {
    try #require(try await rig.storage.sos.rules(of: person, at: GrantFixture.now)).settings.contacts
  }

  private func state(_ person: PersonID, _ address: String, _ rig: Rig) async throws -> ContactState? {
    try await rig.storage.sos.settings(of: person)?.answers[address]
  }

  /// The numbers that are asked by SMS now; mails go into the queue.
  private func ask(_ first: UInt8, _ rig: Rig) async throws -> [String] {
    var asked: [String] = []
    for number in first... {
      switch try await rig.storage.contacts.takeTurn(code: code(number)) {
      case .none: return asked
      case .done: continue
      case .sms(let question): asked.append(question.phone)
      }
    }
    return asked
  }

  /// Makes it later.
  private func pass(days: Int, _ rig: Rig) throws {
    try rig.connection().execute(
      """
      UPDATE contact_question SET asked_at = asked_at - interval '\(days) days';
      UPDATE sos_contact_address SET asked_at = asked_at - interval '\(days) days', ask_at = ask_at - interval '\(days) days',
        told_until = told_until - interval '\(days) days';
      """)
  }

  @Test("a contact is told from the confirmation on, and by that number or address alone")
  func confirm() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      let both = EmergencyContact(name: "Bea", phone: bea.phone, email: "bea@example.org")
      try await name([both, carlo], of: person, rig)
      #expect(try await state(person, "carlo@example.org", rig) == .waiting)
      #expect(try await ask(1, rig) == ["+393331234568"])
      #expect(try await state(person, "carlo@example.org", rig) == .asked)
      #expect(try rig.told(person).mails == ["100 bea@example.org", "100 carlo@example.org"])
      #expect(try await told(person, rig).isEmpty)
      #expect(try await rig.storage.contacts.confirm(code(99)) == .unknown)
      let hash = try rig.connection().query(
        "SELECT code_sha256 FROM sos_contact_address WHERE code_sha256 IS NOT NULL", [])
      #expect(hash.rowCount == 1)
      for _ in 0..<2 {
        #expect(try await rig.storage.contacts.confirm(try hash.bytes(0, 0)) == .taken(personName: "Ada Rossi"))
      }
      #expect(try await told(person, rig) == [bea])
      #expect(try await state(person, "+393331234568", rig) == .confirmed)
      // A mail's code is made when it is sent.
      for number in [51, 52] as [UInt8] {
        #expect(try await rig.storage.mail.take(stamps: [stamp(number)])?.isWanted == true)
      }
      _ = try await rig.storage.contacts.confirm(code(52))
      #expect(try await told(person, rig) == [bea, carlo])
      // Whoever is named no more, and again later, is asked again.
      try await name([carlo], of: person, rig)
      try await name([bea, carlo], of: person, rig)
      #expect(try await told(person, rig) == [carlo])
    }
  }

  @Test("who refuses is told nothing and never asked again by that person, also after having agreed")
  func refuse() async throws {
    try await withStorage { rig in
      let (person, other) = (try rig.person(), try rig.person())
      try await name([bea], of: person, rig)
      _ = try await ask(1, rig)
      _ = try await rig.storage.contacts.confirm(code(1))
      try pass(days: 400, rig)
      #expect(try await rig.storage.contacts.refuse(code(1)) == .taken(personName: "Ada Rossi"))
      #expect(try await told(person, rig).isEmpty)
      #expect(try await rig.storage.contacts.confirm(code(1)) == .refused)
      for contacts in [[], [bea]] {
        try await name(contacts, of: person, rig)
        try pass(days: 2, rig)
        #expect(try await ask(10, rig) == [])
      }
      #expect(try await state(person, "+393331234568", rig) == .refused)
      try await name([bea], of: other, rig)
      #expect(try await ask(20, rig) == ["+393331234568"])
    }
  }

  @Test("a number or an address is asked once a day at most, whoever names it")
  func oncePerDay() async throws {
    try await withStorage { rig in
      let persons = try (0..<3).map { _ in try rig.person() }
      for person in persons { try await name([bea, carlo], of: person, rig) }
      #expect(try await ask(1, rig) == ["+393331234568"])
      let mails = { try persons.flatMap { try rig.told($0).mails } }
      #expect(try mails() == ["100 carlo@example.org"])
      // Nor when who has asked leaves, and comes back.
      try rig.connection().execute("DELETE FROM sos_contact_address WHERE person = \(persons[0])")
      #expect(try await ask(20, rig) == [])
      try pass(days: 1, rig)
      try await rig.storage.contacts.sweep()
      #expect(try await ask(30, rig) == ["+393331234568"])
      #expect(try mails().count == 2)
    }
  }

  @Test("a person's contacts are asked 10 questions a day at most, and each three times in all")
  func perPerson() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      func contact(_ number: Int) -> EmergencyContact {
        EmergencyContact(name: "B", phone: PhoneNumber("+3933312345\(number)"), email: "")
      }
      for round in 0..<3 {
        try await name((0..<5).map { contact(10 + round * 5 + $0) }, of: person, rig)
        #expect(try await ask(UInt8(1 + round * 20), rig).count == [5, 5, 0][round])
      }
      try pass(days: 1, rig)
      #expect(try await ask(100, rig).count == 5)
      var asked = 0
      for round in 0..<4 {
        try await name([contact(99)], of: person, rig)
        asked += try await ask(UInt8(120 + round * 20), rig).count
        // Not again on the same day.
        try await name([contact(99)], of: person, rig)
        #expect(try await ask(UInt8(130 + round * 20), rig) == [])
        try pass(days: 2, rig)
      }
      #expect(asked == 3)
    }
  }

  @Test("a code can confirm for 30 days, and a question that was not sent does not count")
  func expiryAndFailure() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      try await name([bea], of: person, rig)
      guard case .sms(let question) = try await rig.storage.contacts.takeTurn(code: code(1)) else {
        throw WaitedInVain()
      }
      #expect(question == ContactQuestion(person: person, personName: "Ada Rossi", phone: "+393331234568", number: 1))
      try await rig.storage.contacts.takeBack(question, code: code(1))
      #expect(try await rig.storage.contacts.confirm(code(1)) == .unknown)
      #expect(try await rig.storage.contacts.refuse(code(1)) == .unknown)
      #expect(try await state(person, "+393331234568", rig) == .waiting)
      #expect(try await ask(2, rig) == [])
      try pass(days: 1, rig)
      #expect(try await ask(3, rig) == ["+393331234568"])
      try pass(days: 30, rig)
      #expect(try await rig.storage.contacts.confirm(code(3)) == .unknown)
      #expect(try await rig.storage.contacts.refuse(code(3)) == .taken(personName: "Ada Rossi"))
    }
  }

  @Test("the code of an older question is none any more")
  func newestCode() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      try await name([bea], of: person, rig)
      #expect(try await ask(1, rig) == ["+393331234568"])
      try pass(days: 2, rig)
      try await name([bea], of: person, rig)
      #expect(try await ask(10, rig) == ["+393331234568"])
      #expect(try await rig.storage.contacts.confirm(code(1)) == .unknown)
      #expect(try await rig.storage.contacts.refuse(code(1)) == .unknown)
      #expect(try await told(person, rig).isEmpty)
      #expect(try await rig.storage.contacts.confirm(code(10)) == .taken(personName: "Ada Rossi"))
      #expect(try await told(person, rig) == [bea])
    }
  }

  @Test("a question that can't be sent is tried again five times, and keeps nobody else from being asked")
  func failures() async throws {
    try await withStorage { rig in
      let (person, other) = (try rig.person(), try rig.person())
      try await name([bea], of: person, rig)
      var tries = 0
      while case .sms(let question) = try await rig.storage.contacts.takeTurn(code: code(1)) {
        tries += 1
        try await rig.storage.contacts.takeBack(question, code: code(1))
        try rig.connection().execute("UPDATE sos_contact_address SET ask_at = now() WHERE ask_at IS NOT NULL")
      }
      #expect(tries == 6)
      // On the same day: nobody has asked this number yet.
      try await name([bea], of: other, rig)
      #expect(try await ask(10, rig) == ["+393331234568"])
      // Nor do they count among the three questions of a person.
      try pass(days: 2, rig)
      try await name([bea], of: person, rig)
      #expect(try await ask(20, rig) == ["+393331234568"])
    }
  }

  @Test("a question that was answered is not taken back")
  func answeredMeanwhile() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      try await name([bea], of: person, rig)
      guard case .sms(let question) = try await rig.storage.contacts.takeTurn(code: code(1)) else {
        throw WaitedInVain()
      }
      _ = try await rig.storage.contacts.confirm(code(1))
      try await rig.storage.contacts.takeBack(question, code: code(1))
      #expect(try await told(person, rig) == [bea])
      #expect(try await ask(10, rig) == [])
      #expect(try await rig.storage.contacts.refuse(code(1)) == .taken(personName: "Ada Rossi"))
    }
  }

  @Test("whoever is named no more, or by an account that has ended, is not asked, and codes of that account are none")
  func gone() async throws {
    try await withStorage { rig in
      let (person, other) = (try rig.person(), try rig.person())
      try await name([bea], of: person, rig)
      #expect(try await ask(1, rig) == ["+393331234568"])
      try pass(days: 2, rig)
      try await name([bea], of: other, rig)
      #expect(try await ask(10, rig) == ["+393331234568"])
      // Put off for a day by the question of the other one.
      try await name([bea], of: person, rig)
      #expect(try await ask(20, rig) == [])
      try await name([], of: person, rig)
      try pass(days: 2, rig)
      #expect(try await ask(30, rig) == [])
      try await name([bea], of: person, rig)
      try rig.connection().execute("UPDATE account SET state = 'deactivated' WHERE id IN (\(person), \(other))")
      #expect(try await ask(40, rig) == [])
      #expect(try await rig.storage.contacts.confirm(code(10)) == .unknown)
    }
  }

  @Test("who was asked, never answered and is named no more is forgotten after 90 days; answers stay")
  func forgotten() async throws {
    try await withStorage { rig in
      let persons = try (0..<4).map { _ in try rig.person() }
      for (number, person) in persons.enumerated() {
        try await name([bea], of: person, rig)
        #expect(try await ask(UInt8(10 + number * 10), rig) == ["+393331234568"])
        try pass(days: 1, rig)
      }
      let (_, named, confirmed, refused) = (persons[0], persons[1], persons[2], persons[3])
      _ = try await rig.storage.contacts.confirm(code(30))
      _ = try await rig.storage.contacts.refuse(code(40))
      for person in [persons[0], refused] { try await name([], of: person, rig) }
      func kept() throws -> [Int64] {
        try rig.connection().query("SELECT array_agg(person ORDER BY person) FROM sos_contact_address").int64Array(0, 0)
      }
      try pass(days: 85, rig)
      try await rig.storage.contacts.sweep()
      #expect(try kept() == persons)
      try pass(days: 5, rig)
      try await rig.storage.contacts.sweep()
      #expect(try kept() == [named, confirmed, refused])
    }
  }

  @Test("a mail that waits asks nobody who has answered or is named no more")
  func staleMail() async throws {
    try await withStorage { rig in
      let person = try rig.person()
      try await name([carlo], of: person, rig)
      _ = try await ask(1, rig)
      #expect(try await rig.storage.mail.take(stamps: [stamp(9)])?.isWanted == true)
      try rig.connection().execute("UPDATE email_queue SET state = 'queued'")
      _ = try await rig.storage.contacts.refuse(code(9))
      let mail = try #require(try await rig.storage.mail.take(stamps: [stamp(10)]))
      #expect(mail.announcement.kind == ContactStore.mailKind && !mail.isWanted)
      #expect(try await rig.storage.contacts.confirm(code(10)) == .unknown)
    }
  }

  @Test("contacts from before the question are asked, and told for 30 days without an answer")
  func migration() async throws {
    let database = try TemporaryCluster.shared().freshDatabase()
    let connection = try Connection(database)
    try Migrations([AreaTables].all.migrations.filter { $0.number < 30 }).apply(connection)
    let person = try connection.query("INSERT INTO account (kind) VALUES ('person') RETURNING id").int64(0, 0)
    try connection.execute(
      """
      INSERT INTO person VALUES (\(person), 'A', 'B', 'AAAAAAAAAAAAAAAA', '1950-01-01', 'male', 60, 170);
      INSERT INTO sos_contact VALUES (\(person), 1, 'Bea', '+393331234568', ''), (\(person), 2, 'Carlo', NULL, 'C@example.org'),
        (\(person), 3, 'Dora', '+393331234568', 'c@example.org');
      """)
    try Migrations([AreaTables].all.migrations).apply(connection)
    let pool = Pool(PoolConfiguration(database))
    let (sos, contacts) = (SosStore(pool: pool), ContactStore(pool: pool))
    func told() async throws -> [String]? {
      try await sos.rules(of: person, at: GrantFixture.now)?.settings.contacts.map(\.name)
    }
    #expect(try await told() == ["Bea", "Carlo", "Dora"])
    for number in [1, 2] as [UInt8] { #expect(try await contacts.takeTurn(code: code(number)) != .none) }
    #expect(try await contacts.takeTurn(code: code(3)) == .none)
    #expect(try await told()?.count == 3)
    try connection.execute("UPDATE sos_contact_address SET told_until = now()")
    let before = try connection.query("SELECT changed_in::text FROM sos_settings").string(0, 0)
    try await contacts.sweep()
    #expect(try await told() == [])
    #expect(try connection.query("SELECT changed_in::text FROM sos_settings").string(0, 0) != before)
    await pool.shutdown()
  }
}
