import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// What servers read to keep all tokens at hand.
@Suite(.timeLimit(.minutes(5))) struct TokenChangesTests {
  private func hash(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }

  private func account(_ connection: Connection, kind: String = "person") throws -> AccountID {
    try connection.query("INSERT INTO account (kind) VALUES ($1) RETURNING id", [.text(kind)]).int64(0, 0)
  }

  @Test func everyWayInWhichATokenBeginsOrEndsIsTold() async throws {
    try await withStorage { rig in
      let (connection, tokens, storage) = (try rig.connection(), rig.storage.tokens, rig.storage)
      let person = try account(connection)
      var mark = try await tokens.all(\.hash).next
      func look() async throws -> (accounts: Set<AccountID>, hashes: Set<[UInt8]>) {
        let changes = try await tokens.changes(since: mark)
        mark = changes.next
        return (changes.accounts, Set(changes.tokens.map(\.hash)))
      }
      #expect(try await look() == ([], []))

      let device = try await storage.devices.add(
        name: "watch", requestID: "", lifetimeDays: 0, tokenHash: hash(1), of: person)
      guard case .added(let record) = device else { return }
      #expect(try await look() == ([person], [hash(1)]))
      let session = try #require(
        try await storage.sessions.begin(for: person, tokens: .init(session: hash(2), refresh: hash(3))))
      #expect(try await look() == ([person], [hash(1), hash(2)]))
      try connection.execute("UPDATE access_token SET expires_at = now() - interval '1 s' WHERE kind = 'session'")
      #expect(try await look() == ([person], [hash(1)]))
      _ = try await storage.sessions.refresh(tokenHash: hash(3), tokens: .init(session: hash(4), refresh: hash(5)))
      #expect(try await look() == ([person], [hash(1), hash(4)]))
      try await storage.sessions.end(session.session.session)
      #expect(try await look() == ([person], [hash(1)]))
      _ = try await storage.devices.revoke(record.device, of: person)
      #expect(try await look() == ([person], []))
      try await tokens.add(tokenHash: hash(6), for: person)
      try await tokens.add(tokenHash: hash(7), for: 5)
      #expect(try await look() == ([person, 5], [hash(6), hash(7)]))
      try connection.query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(person)])
      #expect(try await look() == ([person], []))
      // The number of a person without an account becomes somebody else's.
      try connection.execute("INSERT INTO account (id, kind) OVERRIDING SYSTEM VALUE VALUES (5, 'third_party')")
      #expect(try await look() == ([5], []))
      #expect(try await look() == ([], []))
      // Of somebody who has no tokens nothing is told.
      _ = try account(connection)
      #expect(try await look() == ([], []))
      #expect(try await tokens.all(\.hash).tokens == [])
    }
  }

  @Test func aChangeThatIsCommittedAfterALaterOneIsNotMissed() async throws {
    try await withStorage { rig in
      let (slow, fast, tokens) = (try rig.connection(), try rig.connection(), rig.storage.tokens)
      let (first, second) = (try account(fast), try account(fast))
      let mark = try await tokens.all(\.hash).next
      let add = "INSERT INTO access_token (token_sha256, person, expires_at) VALUES ($1, $2, now() + interval '1 day')"
      try slow.execute("BEGIN")
      try slow.query(add, [.bytea(hash(1)), .int8(first)])
      try fast.query(add, [.bytea(hash(2)), .int8(second)])
      let early = try await tokens.changes(since: mark)
      #expect(early.accounts == [second] && early.tokens.map(\.hash) == [hash(2)])
      #expect(try await tokens.changes(since: early.next).accounts == [])
      try slow.execute("COMMIT")
      let late = try await tokens.changes(since: early.next)
      #expect(late.accounts == [first] && late.tokens.map(\.hash) == [hash(1)])
      #expect(try await tokens.changes(since: late.next, and: [second]).tokens.map(\.hash) == [hash(2)])
    }
  }

  @Test func changesAreForgottenAfterTheirTime() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      try await rig.storage.tokens.add(tokenHash: hash(1), for: 5)
      try await rig.storage.tokens.add(tokenHash: hash(2), for: 6)
      let age = TokenRegistry.changesLast.components.seconds + 1
      try connection.execute(
        "UPDATE token_change SET changed_at = now() - make_interval(secs => \(age)) WHERE account = 5")
      try await rig.storage.tokens.sweepChanges()
      #expect(try connection.query("SELECT array_agg(account) FROM token_change", []).int64Array(0, 0) == [6])
    }
  }
}
