import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Sharing

/// Accounts that administrators take out of use, in the database.
@Suite(.timeLimit(.minutes(5))) struct DisabledAccountTests {
  private let now: Microseconds = 1_700_000_000_000_000

  private func account(_ kind: String, _ connection: Connection) throws -> AccountID {
    try connection.query(
      "INSERT INTO account (kind, username, display_name) VALUES ($1, $1, $1) RETURNING id", [.text(kind)]
    ).int64(0, 0)
  }

  private func disable(_ account: AccountID, _ rig: Rig, by administrator: AccountID) async throws {
    #expect(
      try await rig.storage.disabledAccounts.set(
        isDisabled: true, account, name: "", reason: "Test", by: administrator, at: now) == account)
  }

  /// Whoever asked at the same moment, and whose server died before it could end anything.
  @Test func whatWasBeingAskedWhileAnAccountWasDisabledEndsAMomentLater() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      let (person, thirdParty) = (try account("person", connection), try account("third_party", connection))
      let administrator = try account("administrator", connection)
      let scope = AccessScope(metrics: [Metrics.heartRate], time: .min..<(.max), granularity: .second)
      let id = try #require(
        try await rig.storage.access.request(
          AccessProposal(thirdParty: thirdParty, person: person, requestID: nil, scope: scope, purpose: "care"), at: now
        ))
      try await disable(thirdParty, rig, by: administrator)
      #expect(try await rig.storage.access.find(id)?.state == .pending)

      try await rig.storage.suspendDisabled(at: now + 1)
      #expect(try await rig.storage.access.find(id)?.state == .withdrawn)
      #expect(try await rig.storage.disabledAccounts.suspending() == [thirdParty])
      try await rig.storage.suspendDisabled(at: now + DisabledAccounts.suspendsFor)
      #expect(try await rig.storage.disabledAccounts.suspending().isEmpty)
      // Nothing new is granted to it, nor asked by it.
      let again = AccessProposal(thirdParty: thirdParty, person: person, requestID: nil, scope: scope, purpose: "care")
      #expect(try await rig.storage.access.request(again, at: now) == nil)
    }
  }

  @Test func aSessionOfADisabledPersonSaysSoAndAThirdPartyHasNone() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      let (person, thirdParty) = (try account("person", connection), try account("third_party", connection))
      let administrator = try account("administrator", connection)
      for account in [person, thirdParty] { try await disable(account, rig, by: administrator) }
      func hash(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }
      let tokens = SessionTokenHashes(session: hash(1), refresh: hash(2))
      #expect(try await rig.storage.sessions.begin(for: person, tokens: tokens)?.session.isDisabled == true)
      #expect(try await rig.storage.tokens.holder(tokenHash: hash(1))?.isDisabled == true)
      await #expect(throws: SessionStore.Disabled.self) {
        try await rig.storage.sessions.begin(for: thirdParty, tokens: .init(session: hash(3), refresh: hash(4)))
      }
      _ = try await rig.storage.disabledAccounts.set(
        isDisabled: false, person, name: "", reason: "Test", by: administrator, at: now)
      #expect(try await rig.storage.tokens.holder(tokenHash: hash(1))?.isDisabled == false)
    }
  }
}
