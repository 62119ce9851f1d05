import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// Sessions, tokens and counts of wrong passwords in the database.
@Suite(.timeLimit(.minutes(5))) struct SessionStoreTests {
  private func hash(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

  private func account(_ rig: Rig, _ kind: AccountKind = .person) throws -> AccountID {
    try rig.connection().query(
      "INSERT INTO account (kind, username, password_hash) VALUES ($1, 'ada', 'hash') RETURNING id",
      [.text(kind.rawValue)]
    ).int64(0, 0)
  }

  @Test func theLockSurvivesARestart() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("theLockSurvivesARestart")
    var keys: [[UInt8]] = []
    try await withStorage(on: database) { rig in
      _ = try account(rig)
      for name in ["ADA", "nobody"] {
        let record = try await rig.storage.passwords.find(name: name)
        #expect(record.lockedSeconds == 0 && (record.account != nil) == (name == "ADA"))
        for _ in 0..<5 { #expect(try await rig.storage.passwords.count(record, isRight: false) == 0) }
        keys.append(record.key)
      }
    }
    #expect(Set(keys).count == 2)
    try await withStorage(on: database) { rig in
      for (name, key) in zip(["ada", "NOBODY"], keys) {
        let record = try await rig.storage.passwords.find(name: name)
        #expect((45...50).contains(record.lockedSeconds) && record.key == key)
        // While it holds nothing is counted, whatever the password; and trying does not make it longer.
        let locked = try await rig.storage.passwords.count(record, isRight: true)
        #expect((1...50).contains(locked) && locked <= record.lockedSeconds)
      }
    }
  }

  @Test func theSweepRemovesWhatIsOverAndKeepsTheRest() async throws {
    try await withStorage { rig in
      let person = try account(rig)
      let sessions = rig.storage.sessions
      for byte in [1, 3] as [UInt8] {
        #expect(
          try await sessions.begin(
            for: person, tokens: .init(session: hash(byte), refresh: hash(byte + 1))) != nil)
      }
      let connection = try rig.connection()
      try connection.execute(
        """
        UPDATE session SET expires_at = now() - interval '1 second' WHERE id = (SELECT min(id) FROM session);
        INSERT INTO log_in_attempt (key, attempted_at) VALUES
          (sha256('old'), now() - interval '61 minutes'), (sha256('new'), now());
        """)
      try connection.query(
        """
        INSERT INTO device (person, name, revoked_at, expires_at) VALUES
          ($1, 'a', now() - interval '31 days', NULL), ($1, 'b', NULL, now() - interval '31 days'),
          ($1, 'c', now(), NULL), ($1, 'd', NULL, NULL)
        """, [.int8(person)])
      try await sessions.sweep()
      let left = try connection.query(
        """
        SELECT (SELECT count(*) FROM session), (SELECT count(*) FROM access_token),
          (SELECT count(*) FROM log_in_attempt), (SELECT string_agg(name, '' ORDER BY name) FROM device)
        """, [])
      #expect(try left.int64(0, 0) == 1 && left.int64(0, 1) == 2 && left.int64(0, 2) == 1)
      #expect(try left.string(0, 3) == "cd")
    }
  }

  @Test func aSessionBeginsOnlyForAnActiveAccountWithThePasswordThatWasChecked() async throws {
    try await withStorage { rig in
      let person = try account(rig)
      let tokens = SessionTokenHashes(session: hash(1), refresh: hash(2))
      let sessions = rig.storage.sessions
      #expect(try await sessions.begin(for: person, passwordHash: "another", tokens: tokens) == nil)
      #expect(try await sessions.begin(for: person + 1, tokens: tokens) == nil)
      let begun = try #require(try await sessions.begin(for: person, passwordHash: "hash", tokens: tokens))
      let holder = try await rig.storage.tokens.holder(tokenHash: hash(1))
      #expect(holder?.principal == .person(person) && holder?.session == begun.session.session)
      #expect(holder?.timeLeft ?? .zero > .seconds(890) && holder?.timeLeft ?? .zero <= .seconds(900))
      #expect(try await rig.storage.tokens.all(\.hash).tokens == [hash(1)])

      try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(person)])
      #expect(try await rig.storage.tokens.holder(tokenHash: hash(1)) == nil)
      #expect(try await rig.storage.tokens.all(\.hash).tokens == [])
      #expect(try await sessions.refresh(tokenHash: hash(2), tokens: tokens) == .unknown)
      #expect(try await sessions.begin(for: person, tokens: tokens) == nil)
    }
  }

  @Test func aSessionKeepsSomeTokensHoweverOftenItIsRefreshed() async throws {
    try await withStorage { rig in
      let sessions = rig.storage.sessions
      func tokens(_ exchange: Int) -> SessionTokenHashes {
        SessionTokenHashes(session: hash(UInt8(2 * exchange)), refresh: hash(UInt8(2 * exchange + 1)))
      }
      let begun = try await sessions.begin(for: try account(rig), tokens: tokens(0))
      let session = try #require(begun).session.session
      let exchanges = SessionStore.maxExchanges + 15
      for exchange in 1...exchanges {
        guard
          case .done = try await sessions.refresh(
            tokenHash: tokens(exchange - 1).refresh, tokens: tokens(exchange))
        else {
          Issue.record("\(exchange)")
          return
        }
      }
      let kept = try rig.connection().query("SELECT count(*) FROM access_token WHERE session = $1", [.int8(session)])
      #expect(try kept.int64(0, 0) == Int64(2 * SessionStore.maxExchanges + 2))
      // One that is forgotten is unknown; one that is remembered, and comes again, ends the session.
      #expect(try await sessions.refresh(tokenHash: tokens(3).refresh, tokens: tokens(120)) == .unknown)
      guard
        case .ended = try await sessions.refresh(
          tokenHash: tokens(exchanges - SessionStore.maxExchanges + 1).refresh, tokens: tokens(121))
      else {
        Issue.record("a token that was used twice must end its session")
        return
      }
    }
  }

  @Test func anOperatorsTokenEndsWithThePersonsAccountIfThereIsOne() async throws {
    try await withStorage { rig in
      let person = try account(rig)
      try await rig.storage.tokens.add(tokenHash: hash(1), for: person)
      try await rig.storage.tokens.add(tokenHash: hash(2), for: 5)
      #expect(try await rig.storage.tokens.holder(tokenHash: hash(1))?.principal == .person(person))
      try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(person)])
      #expect(try await rig.storage.tokens.holder(tokenHash: hash(1)) == nil)
      #expect(try await rig.storage.tokens.holder(tokenHash: hash(2))?.principal == .person(5))
    }
  }

  @Test func aServerThatBeginsKnowsForWhomABridgeMayPush() async throws {
    let database = try TemporaryCluster.shared().preparedDatabase(#function, StorageSystem.migrate)
    var allowed: (bridge: AccountID, person: PersonID)?
    try await withStorage(on: database) { rig in
      let connection = try rig.connection()
      let bridge = try connection.query("INSERT INTO account (kind) VALUES ('bridge') RETURNING id", []).int64(0, 0)
      let person = try account(rig)
      _ = try await rig.storage.bridges.allow(bridge, for: person)
      allowed = (bridge, person)
    }
    let (bridge, person) = try #require(allowed)
    try await withStorage(on: database) { rig in
      #expect(rig.storage.bridges.permissions.persons(of: bridge) == [person])
    }
  }

  @Test func permissionsOfABridgeFollowEveryChangeMadeHereWhateverItsOrder() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      let bridge = try connection.query("INSERT INTO account (kind) VALUES ('bridge') RETURNING id", []).int64(0, 0)
      let persons = try (0..<40).map { _ in
        try connection.query("INSERT INTO account (kind) VALUES ('person') RETURNING id", []).int64(0, 0)
      }
      let bridges = rig.storage.bridges
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, person) in persons.enumerated() {
          group.addTask {
            _ = try await bridges.allow(bridge, for: person)
            #expect(bridges.permissions.persons(of: bridge).contains(person))
            if index % 2 == 0 {
              try await bridges.disallow(bridge, for: person)
              #expect(!bridges.permissions.persons(of: bridge).contains(person))
            }
          }
          if index % 5 == 0 { group.addTask { try await bridges.permissions.refresh() } }
        }
        try await group.waitForAll()
      }
      let left = Set(persons.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
      #expect(bridges.permissions.persons(of: bridge) == left)
      try await bridges.permissions.refresh()
      #expect(bridges.permissions.persons(of: bridge) == left)
    }
  }
}
