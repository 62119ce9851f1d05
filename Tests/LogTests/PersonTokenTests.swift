import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// Tokens that an operator makes for persons.
@Suite(.timeLimit(.minutes(5))) struct PersonTokenTests {
  private func hash(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

  private func account(_ connection: Connection) throws -> AccountID {
    try connection.query(
      "INSERT INTO account (kind, username, password_hash) VALUES ('person', 'ada', 'old') RETURNING id", []
    ).int64(0, 0)
  }

  @Test func everyTokenHasANumberAndAnEnd() async throws {
    try await withStorage { rig in
      let (tokens, day) = (rig.storage.tokens, Microseconds(86_400_000_000))
      try await tokens.add(tokenHash: hash(1), for: 5, label: "the lab's bridge")
      try await tokens.add(tokenHash: hash(2), for: 5, lifetime: .seconds(86_400))
      try await tokens.add(tokenHash: hash(3), for: 6)
      let list = try await tokens.list(of: 5)
      #expect(list.map(\.label) == ["the lab's bridge", ""])
      #expect(list.map { ($0.expires - $0.created) / day } == [90, 1])
      #expect(Set(list.map(\.id)).count == 2)
      #expect(try await tokens.list(of: 7) == [])
      let left = try #require(try await tokens.holder(tokenHash: hash(1))?.timeLeft)
      #expect(left > .seconds(89 * 86_400) && left <= TokenRegistry.defaultLifetime)
      #expect(throws: PostgresError.self) {
        try rig.connection().execute("INSERT INTO access_token (token_sha256, person) VALUES (sha256('x'), 5)")
      }
    }
  }

  @Test func aTokenEndsByItsNumberAndNoOtherDoes() async throws {
    try await withStorage { rig in
      let (tokens, connection) = (rig.storage.tokens, try rig.connection())
      let person = try account(connection)
      for byte in [1, 2] as [UInt8] { try await tokens.add(tokenHash: hash(byte), for: person) }
      _ = try await rig.storage.sessions.begin(for: person, tokens: .init(session: hash(3), refresh: hash(4)))
      let (list, mark) = (try await tokens.list(of: person), try await tokens.all(\.hash).next)
      #expect(try await tokens.revoke(list[0].id))
      #expect(try await tokens.changes(since: mark).accounts == [person])
      #expect(try await tokens.all(\.hash).tokens.sorted { $0[0] < $1[0] } == [hash(2), hash(3)])
      #expect(try await !tokens.revoke(list[0].id))
      // What the server made is not an operator's to end, and what has ended is not listed.
      let session = try connection.query("SELECT id FROM access_token WHERE kind = 'session'", []).int64(0, 0)
      #expect(try await !tokens.revoke(session))
      try connection.execute("UPDATE access_token SET expires_at = now()")
      #expect(try await tokens.list(of: person) == [])
      try await rig.storage.sessions.sweep()
      let kinds = try connection.query("SELECT string_agg(kind, ' ' ORDER BY kind) FROM access_token", [])
      #expect(try kinds.string(0, 0) == "refresh session")
    }
  }

  @Test func anotherPasswordAndTheEndOfAllSessionsEndThem() async throws {
    try await withStorage { rig in
      let (tokens, person) = (rig.storage.tokens, try account(try rig.connection()))
      try await tokens.add(tokenHash: hash(1), for: person)
      try await tokens.add(tokenHash: hash(2), for: person + 1)
      #expect(try await !rig.storage.passwords.change(of: person, from: "wrong", to: "new", keeping: nil))
      #expect(try await tokens.list(of: person).count == 1)
      #expect(try await rig.storage.passwords.change(of: person, from: "old", to: "new", keeping: nil))
      #expect(try await tokens.list(of: person) == [])
      try await tokens.add(tokenHash: hash(1), for: person)
      try await rig.storage.sessions.endAll(of: person)
      #expect(try await tokens.list(of: person) == [])
      #expect(try await tokens.list(of: person + 1).count == 1)
    }
  }

  @Test func tokensFromBeforeThereWereEndsHaveOneToo() async throws {
    let connection = try Connection(try TemporaryCluster.shared().freshDatabase())
    try Migrations([AreaTables].all.migrations.filter { $0.number < 34 }).apply(connection)
    try connection.execute(
      """
      INSERT INTO account (kind) VALUES ('bridge');
      INSERT INTO access_token (token_sha256, person, expires_at) VALUES
        (sha256('a'), 5, NULL), (sha256('b'), 5, now() + interval '1 day');
      INSERT INTO access_token (token_sha256, kind, account) SELECT sha256('c'), 'bridge', id FROM account;
      """)
    try Migrations([AreaTables].all.migrations).apply(connection)
    let rows = try connection.query(
      """
      SELECT round(extract(epoch FROM expires_at - now()) / 86400)::bigint, id FROM access_token ORDER BY token_sha256
      """, [])
    var days: [Int64?] = []
    for row in 0..<rows.rowCount { days.append(rows.isNull(row, 0) ? nil : try rows.int64(row, 0)) }
    #expect(Set(days) == [90, 1, nil])
  }
}
