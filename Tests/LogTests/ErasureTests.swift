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

/// A person with everything that an account can have, a third party with a grant, and readings of the person and others.
private struct ErasureRig: Sendable {
  static let hash = "$argon2id$v=19$secretsecret"
  static let words = [
    "ada.lovelace", "ada@example.org", "argon2id", "Augusta", "Lovelace", "LVLDAA80T71F205X", "Ockham Park",
    "Wrist of Ada", "Patient Ada", "ref-LVLDAA", "bridge-at-home",
    "ada-at-issuer", "Ada's watch", "Lord Byron", "byron@example.org", "393331234567",
  ]
  let rig: Rig
  let person: PersonID
  let other: PersonID
  let thirdParty: AccountID
  let grant: AccessRequestID
  let receipt = [UInt8](repeating: 7, count: 32)
  var storage: StorageSystem { rig.storage }

  init(_ rig: Rig) async throws {
    self.rig = rig
    let fixture = try await GrantFixture(rig, metrics: Set(Metrics.all))
    person = fixture.person
    thirdParty = fixture.thirdParty
    grant = fixture.grant
    let connection = try rig.connection()
    other = try connection.query("INSERT INTO account (kind) VALUES ('person') RETURNING id", []).int64(0, 0)
    try connection.execute(
      """
      UPDATE account SET username = 'ada.lovelace', email = 'ada@example.org', password_hash = '\(Self.hash)',
        display_name = 'Augusta Lovelace', form_values = '{"address": "Ockham Park"}', request_id = 'ref-LVLDAA'
      WHERE id = \(person);
      UPDATE account SET display_name = 'Clinic' WHERE id = \(thirdParty);
      INSERT INTO person VALUES (\(person), 'Augusta', 'Lovelace', 'LVLDAA80T71F205X', '1980-12-31', 'female', 60, 170);
      INSERT INTO device (person, name, request_id) VALUES (\(person), 'Wrist of Ada', 'ref-LVLDAA');
      INSERT INTO access_token (token_sha256, kind, account, device)
        SELECT sha256('device'), 'device', person, id FROM device;
      WITH s AS (INSERT INTO session (account, expires_at) VALUES (\(person), now() + interval '1 day') RETURNING id)
        INSERT INTO access_token (token_sha256, kind, account, session) SELECT sha256('s'), 'session', \(person), id FROM s;
      INSERT INTO access_token (token_sha256, person, label, expires_at)
        VALUES (sha256('person'), \(person), 'her watch', now() + interval '1 day');
      INSERT INTO reading_source (name, registered_by) VALUES ('wrist', \(person)) ON CONFLICT DO NOTHING;
      INSERT INTO reading_source (name, registered_by) VALUES ('Ada''s watch', \(person));
      INSERT INTO ingest_client (name, last_sequence, last_position) VALUES
        ('person/\(person)/bridge-at-home', 4, 1), ('person/\(person)1/someone-else', 4, 1);
      INSERT INTO ingest_client (name, last_sequence, last_position)
        SELECT 'device/' || id || '/bridge-at-home', 4, 1 FROM device;
      UPDATE access_request SET purpose = 'Patient Ada', request_id = 'ref-LVLDAA' WHERE id = \(grant);
      INSERT INTO openid_link (issuer, subject, account) VALUES ('https://issuer', 'ada-at-issuer', \(person));
      SELECT add_notification(\(person), 2::smallint, facts => '{"name": "Wrist of Ada"}');
      """)
    var settings = SosSettings()
    settings.callbackNumber = PhoneNumber("+393331234567")
    settings.contacts = [EmergencyContact(name: "Lord Byron", phone: nil, email: "byron@example.org")]
    #expect(try await storage.sos.update(person, version: 1, to: settings) != nil)
    let limits = Limits(low: 50, hysteresis: 0)
    #expect(try await storage.sos.set(Threshold(rest: limits, exertion: nil), of: 1, for: person) == 1)
    let time = GrantFixture.now..<GrantFixture.now + 1
    _ = try await storage.sos.declare(time, for: person, requestID: "ref-LVLDAA", at: GrantFixture.now)
    try await storage.emergencies.record(.sample(person, contacts: settings.contacts))
    let pending = try await storage.access.request(
      AccessProposal(
        thirdParty: thirdParty, person: person, requestID: nil,
        scope: AccessScope(metrics: [1], time: .min..<(.max), granularity: .hour), purpose: "Patient Ada"),
      at: GrantFixture.now)
    #expect(pending != nil)
  }

  /// Commits readings of both persons, in the same rows.
  func commit(_ rows: Int, _ generator: inout Seeded) async throws {
    try await rig.commit(
      (0..<rows).map { _ in
        var columns = ReadingColumns.random(&generator, count: 5...40, persons: 2)
        columns.scalars.person = columns.scalars.person.map { $0 == 1 ? person : other }
        columns.positions.person = columns.positions.person.map { $0 == 1 ? person : other }
        columns.waveforms.person = columns.waveforms.person.map { $0 == 1 ? person : other }
        return columns
      })
  }

  func deactivate() async throws -> ErasureStore.Outcome {
    try await storage.erasures.deactivate(person, passwordHash: Self.hash, receipt: receipt, at: GrantFixture.now)
  }

  func job(after wait: Microseconds = 60_000_000) -> ErasureJob {
    ErasureJob(storage: storage, clock: { GrantFixture.now + wait }, logger: quiet)
  }

  /// In which tables something of the person is found, whatever their columns are.
  func traces() throws -> [String] {
    let connection = try rig.connection()
    let tables = try connection.query(
      """
      SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      """, [])
    var traces: [String] = []
    for row in 0..<tables.rowCount {
      let table = try tables.string(row, 0)
      for word in Self.words {
        let found = try connection.query(
          """
          SELECT count(*) FROM \(table) t WHERE t::text ILIKE '%' || $1 || '%'
            OR t::text ILIKE '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%'
          """, [.text(word)]
        ).int64(0, 0)
        if found > 0 { traces.append("\(table): \(word)") }
      }
    }
    for table in [
      "device", "session", "access_token", "bridge_permission", "notification", "email_queue", "person", "emergency",
      "sos_settings", "sos_contact", "sos_contact_address", "sos_threshold", "sos_exertion",
    ] {
      let isOfPerson = table.hasPrefix("sos_") || ["device", "bridge_permission", "emergency"].contains(table)
      let column = isOfPerson ? "person" : "account"
      let found = try connection.query("SELECT count(*) FROM \(table) WHERE \(column) = $1", [.int8(person)])
      if try found.int64(0, 0) > 0 { traces.append(table) }
    }
    if try rig.stored().contains(where: { $0.key.person == person }) { traces.append("readings") }
    let seen = try connection.query("SELECT count(*) FROM reading WHERE person = $1", [.int8(person)]).int64(0, 0)
    if seen > 0 { traces.append("view reading") }
    if storage.tail.rows(after: storage.tail.floor)?.contains(where: { $0.columns.concerns(person) }) == true {
      traces.append("memory")
    }
    return traces
  }

  func others() throws -> Set<Reading> { Set(try rig.stored().filter { $0.key.person == other }) }
}

extension ReadingColumns {
  fileprivate func concerns(_ wanted: PersonID) -> Bool {
    var found = false
    forEachKey { _, person, _ in if person == wanted { found = true } }
    return found
  }
}

@Suite struct ErasureTests {
  @Test("C-23: after the erasure nothing of a person is in any table, and others' readings are as they were")
  func erase() async throws {
    try await withStorage { storage in
      let rig = try await ErasureRig(storage)
      var generator = Seeded(23)
      try await rig.commit(20, &generator)
      try await rig.rig.compact()
      try await rig.commit(20, &generator)
      let readings = try rig.rig.stored().filter { $0.key.person == rig.person }.count
      // Compaction alone changes nothing of what this looks at: rows of the log that repeat a reading become one.
      try await rig.rig.compact()
      let others = try rig.others()
      #expect(!(try rig.traces()).isEmpty && readings > 0)
      guard case .deactivated(let record) = try await rig.deactivate() else { throw WaitedInVain() }
      #expect(record.due == GrantFixture.now + 48 * 3_600_000_000 && record.erased == nil)
      #expect(try await rig.deactivate() == .stale)

      #expect(try await rig.job().round() == 1)
      #expect(try rig.traces() == [])
      #expect(try rig.others() == others && !others.isEmpty)
      let receipt = try #require(try await rig.storage.erasures.find(receipt: rig.receipt))
      #expect(receipt.erased == GrantFixture.now + 60_000_000 && receipt.erasedReadings > 0)
      let requests = try await rig.storage.access.list(of: rig.person, states: [], before: .max, limit: 10)
      #expect(requests.map(\.state) == [.refused, .revoked])
      #expect(try await rig.job().round() == 0)
    }
  }

  @Test("C-23: an erasure that was cut short at any step is finished by the next run", arguments: 0...5)
  func crash(at step: Int) async throws {
    try await withStorage("crash_erasure\(step)") { storage in
      let rig = try await ErasureRig(storage)
      var generator = Seeded(UInt64(step))
      try await rig.commit(15, &generator)
      _ = try await rig.deactivate()
      let pending = try #require(try await rig.storage.pendingErasures().first)
      for done in ErasureStep.allCases.prefix(step) {
        _ = try await rig.storage.perform(done, of: pending, patience: .zero, at: GrantFixture.now)
      }
      #expect(try await rig.job().round() == (step == 5 ? 0 : 1))
      #expect(try rig.traces() == [])
      let receipt = try #require(try await rig.storage.erasures.find(receipt: rig.receipt))
      #expect(receipt.erased != nil && receipt.erasedReadings > 0)
    }
  }

  @Test(
    "C-23: an erasure does not wait for ever for a server that died, or hangs, while it delivered",
    arguments: [true, false])
  func openDeliveries(hasDied: Bool) async throws {
    try await withStorage("open_deliveries_\(hasDied)") { storage in
      let rig = try await ErasureRig(storage)
      var generator = Seeded(5)
      try await rig.commit(5, &generator)
      let database = storage.database
      let left = DisclosureLedger(pool: storage.pool, database: database, clock: { GrantFixture.now })
      let grant = try #require(try await rig.storage.access.find(rig.grant))
      _ = try await left.begin(grant, kind: .stream, after: 0)
      _ = try await rig.deactivate()
      func openRows() throws -> Int64 {
        try storage.connection().query("SELECT count(*) FROM disclosure WHERE ended_at IS NULL", []).int64(0, 0)
      }
      if hasDied {
        left.lock.release()
        let connection = try storage.connection()
        try await eventually { try !InstanceLock.dead([left.lock.instance], connection).isEmpty }
        #expect(try await rig.job().round() == 0)
        // What every server's ledger does now and then.
        try await rig.storage.disclosures.completeAbandoned()
        #expect(try await rig.job().round() == 1)
      } else {
        // Its lock is held: to the others it lives.
        try await rig.storage.disclosures.completeAbandoned()
        #expect(try openRows() == 1)
        #expect(try await rig.job(after: 359_999_999).round() == 0)
        #expect(try await rig.job(after: 360_000_000).round() == 1)
      }
      #expect(try openRows() == 0)
      #expect(try rig.traces() == [])
      let marked = try storage.connection().query("SELECT at_most, reading_count > 0 FROM disclosure", [])
      #expect(try marked.bool(0, 0) && marked.bool(0, 1))
      left.lock.release()
    }
  }

  @Test("C-23: pushes that were on their way when the account ended leave nothing")
  func pushesInFlight() async throws {
    try await withStorage { storage in
      let rig = try await ErasureRig(storage)
      var generator = Seeded(5)
      _ = try await rig.deactivate()
      // Committed after the owner's word, within the time that is waited for.
      try await rig.commit(5, &generator)
      #expect(try await rig.job(after: 59_000_000).round() == 0)
      #expect(try rig.rig.stored().contains { $0.key.person == rig.person })
      #expect(try await rig.job().round() == 1)
      #expect(try rig.traces() == [])
      // Later than was thought possible.
      try await rig.commit(5, &generator)
      try await rig.rig.compact()
      try await rig.storage.eraseStragglers(since: GrantFixture.now)
      #expect(try !rig.rig.stored().contains { $0.key.person == rig.person })
    }
  }

  @Test("C-23: an erasure waits for deliveries that are not over, and its receipt names who received readings")
  func recipients() async throws {
    try await withStorage { storage in
      let rig = try await ErasureRig(storage)
      let ledger = rig.storage.disclosures
      let grant = try #require(try await rig.storage.access.find(rig.grant))
      let disclosure = try await ledger.begin(grant, kind: .stream, after: 0)
      try await disclosure.note(.scalars(person: rig.person, [(0, 70)]), through: 1)
      _ = try await rig.deactivate()
      func recipients() async throws -> [String]? {
        try await rig.storage.erasures.find(receipt: rig.receipt)?.recipients
      }
      #expect(try await recipients() == ["Clinic"], "those until the owner's word")
      #expect(try await rig.job().round() == 0)
      await disclosure.end()
      #expect(try await rig.job().round() == 1)
      #expect(try await recipients() == ["Clinic"])
      await ledger.close()
    }
  }

  @Test("C-23: nobody pushes for a person whose account has ended, also after a restart")
  func ended() async throws {
    try await withStorage { storage in
      let rig = try await ErasureRig(storage)
      _ = try await rig.deactivate()
      let columns = ReadingColumns.scalars(person: rig.person, [(1, 1)])
      #expect(rig.storage.ended.among(columns) == [rig.person])
      #expect(rig.storage.ended.among(.scalars(person: rig.other, [(1, 1)])).isEmpty)
      let restarted = EndedPersons(pool: storage.pool)
      #expect(restarted.among(columns).isEmpty)
      try await restarted.refresh()
      #expect(restarted.among(columns) == [rig.person])
      var batch = ReadingColumns.scalars(person: rig.person, [(1, 1)])
      let refused = storage.storage.metrics.rules.validate(
        &batch, by: .operator, ended: restarted.among(batch), now: GrantFixture.now)
      #expect(refused.map(\.reason) == [.notYours] && batch.isEmpty)
    }
  }

  @Test("C-23: what is kept outside of the database is forgotten first, and an emergency that comes later is not kept")
  func emergencies() async throws {
    try await withStorage { storage in
      let rig = try await ErasureRig(storage)
      _ = try await rig.deactivate()
      let seen = Mutex<[(AccountID, Bool)]>([])
      let job = ErasureJob(
        storage: rig.storage, clock: { GrantFixture.now + 60_000_000 },
        forget: { account in
          let isThere = try? rig.rig.connection().query("SELECT EXISTS (SELECT FROM emergency)").bool(0, 0)
          seen.withLock { $0.append((account, isThere ?? false)) }
        }, logger: quiet)
      #expect(try await job.round() == 1)
      #expect(seen.withLock { $0.map(\.0) } == [rig.person] && seen.withLock { $0[0].1 })
      try await rig.storage.emergencies.record(.sample(rig.person, at: GrantFixture.now + 70_000_000))
      #expect(try rig.traces() == [])
    }
  }

  @Test("C-23: after an erasure no file of the write-ahead log holds the words that were in it")
  func writeAheadLog() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      let word = "Q\(UInt64.random(in: .min ... .max))bolagufi"
      func files() throws -> Int64 {
        try connection.query(
          """
          SELECT count(*) FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'
            AND position(convert_to($1, 'UTF8') IN pg_read_binary_file('pg_wal/' || name, 0, 67108864, true)) > 0
          """, [.text(word)]
        ).int64(0, 0)
      }
      try connection.execute("INSERT INTO account (kind, display_name) VALUES ('person', '\(word)')")
      #expect(try files() == 1)
      // A file that PostgreSQL has taken up again since still has the words.
      try connection.execute("SELECT pg_switch_wal(); CHECKPOINT")
      try await rig.storage.renewWriteAheadLog(pause: .zero)
      #expect(try files() == 0)
    }
  }

  @Test("C-23: the same fiscal code, username and address can register again, as another account")
  func again() async throws {
    try await withStorage { storage in
      let first = try await ErasureRig(storage)
      _ = try await first.deactivate()
      #expect(try await first.job().round() == 1)
      let second = try await ErasureRig(storage)
      #expect(second.person != first.person)
    }
  }

  @Test("C-23: the only administrator can't leave; of two that leave at once, one stays")
  func administrators() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      let ids = try (0..<2).map { _ in
        try connection.query(
          "INSERT INTO account (kind, password_hash) VALUES ('administrator', 'h') RETURNING id", []
        ).int64(0, 0)
      }
      let outcomes = try await withThrowingTaskGroup(of: ErasureStore.Outcome.self) { group in
        for (index, id) in ids.enumerated() {
          group.addTask {
            try await rig.storage.erasures.deactivate(
              id, passwordHash: "h", receipt: [UInt8](repeating: UInt8(index), count: 32), at: GrantFixture.now)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.filter { $0 == .lastAdministrator }.count == 1)
    }
  }
}
