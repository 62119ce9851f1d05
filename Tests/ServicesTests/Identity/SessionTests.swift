import Domain
import Postgres
import RPCRuntime
import ServiceAPI
import Testing
import TestSupport
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// Sessions: how they go on, and that everything ends with them.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
  private func isOver(_ stream: ResponseStream<Trackme_Readings_V1_WatchReadingsResponse>) async -> Bool {
    let (status, time) = await end(of: stream)
    return status?.code == .unauthenticated && status?.errorInfo?.reason == "SESSION_ENDED" && time < .seconds(10)
  }

  @Test func aRefreshTokenWorksOnceAndUsedAgainEndsTheSession() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let first = try await rig.logIn("ada")
      let response = try await rig.identity.refreshSession(.init(refreshToken: first.refreshToken))
      let second = try #require(response.session)
      #expect(Set([first.token, second.token, first.refreshToken, second.refreshToken]).count == 4)
      let stream = try await rig.watch(as: second.metadata)
      #expect(
        await reason { _ = try await rig.identity.refreshSession(.init(refreshToken: first.refreshToken)) }
          == "SESSION_ENDED")
      #expect(await isOver(stream))
      for token in [first, second] {
        #expect(
          await reason { _ = try await rig.identity.getAccount(.init(), metadata: token.metadata) }
            == "UNAUTHENTICATED")
      }
      #expect(
        await reason { _ = try await rig.identity.refreshSession(.init(refreshToken: second.refreshToken)) }
          == "REFRESH_TOKEN_NOT_VALID")
    }
  }

  @Test func ofManyExchangesOfOneRefreshTokenAtMostOneSucceeds() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      let done = Counter()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let end = await status {
              _ = try await rig.identity.refreshSession(.init(refreshToken: session.refreshToken))
            }
            if let end { #expect(end.code == .unauthenticated) } else { done.add(1) }
          }
        }
      }
      #expect(done.value == 1)
      #expect(try rig.connection().query("SELECT count(*) FROM session", []).int64(0, 0) == 0)
    }
  }

  @Test func aSessionsOtherTokensAreNoRefreshTokens() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      #expect(
        await reason { _ = try await rig.identity.refreshSession(.init(refreshToken: session.token)) }
          == "REFRESH_TOKEN_NOT_VALID")
      let refresh: Metadata = ["authorization": "Bearer \(session.refreshToken)"]
      #expect(await reason { _ = try await rig.identity.getAccount(.init(), metadata: refresh) } == "UNAUTHENTICATED")
      #expect(await fields { _ = try await rig.identity.refreshSession(.init()) } == ["refresh_token"])
    }
  }

  @Test func loggingOutEndsTheSessionItsStreamsAndNoOther() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let (here, there) = (try await rig.logIn("ada"), try await rig.logIn("ada"))
      let (ended, other) = (try await rig.watch(as: here.metadata), try await rig.watch(as: there.metadata))
      _ = try await rig.identity.logOut(.init(), metadata: here.metadata)
      #expect(await isOver(ended))
      #expect(
        await reason { _ = try await rig.identity.getAccount(.init(), metadata: here.metadata) } == "UNAUTHENTICATED")
      _ = try await rig.identity.logOut(.init(allSessions: true), metadata: there.metadata)
      #expect(await isOver(other))
      #expect(try rig.connection().query("SELECT count(*) FROM access_token", []).int64(0, 0) == 0)
    }
  }

  @Test func whatEndsInTheDatabaseEndsItsStreamsAtTheNextCheck() async throws {
    try await withServer { rig in
      let account = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      let stream = try await rig.watch(as: session.metadata)
      try await rig.live.refresh()
      #expect(rig.live.calls.count == 1)
      _ = try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(account)])
      try await rig.live.refresh()
      #expect(await isOver(stream))
      try await eventually(within: .seconds(5)) {
        await reason { _ = try await rig.identity.getAccount(.init(), metadata: session.metadata) } == "UNAUTHENTICATED"
      }
    }
  }

  @Test func aStreamEndsWhenItsTokenExpires() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      try rig.connection().execute(
        "UPDATE access_token SET expires_at = now() + interval '1500 milliseconds' WHERE kind = 'session'")
      let stream = try await rig.watch(as: session.metadata)
      try await eventually {
        try await rig.live.refresh()
        rig.live.endExpired()
        return rig.live.calls.count == 0
      }
      #expect(await isOver(stream))
    }
  }

  @Test func anEndedPushStreamTakesNothingMore() async throws {
    try await withServer { rig in
      let account = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      let push = PushStreamClient(rig, as: session.metadata)
      try await push.begin("phone")
      rig.live.end(.account(account))
      let end = await status { while try await push.frame() != nil {} }
      #expect(end?.errorInfo?.reason == "SESSION_ENDED")
    }
  }

  @Test func theOldestOfTooManySessionsEnds() async throws {
    try await withServer { rig in
      let account = try await rig.account("ada")
      let oldest = try await rig.logIn("ada")
      let stream = try await rig.watch(as: oldest.metadata)
      _ = try rig.connection().query(
        "INSERT INTO session (account, expires_at) SELECT $1, now() + interval '1 day' FROM generate_series(1, 99)",
        [.int8(account)])
      _ = try await rig.logIn("ada")
      #expect(await isOver(stream))
      #expect(try rig.connection().query("SELECT count(*) FROM session", []).int64(0, 0) == 100)
    }
  }

  @Test func anUpdateNeedsTheCurrentEtagAndGoodFields() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      let before = try #require(try await rig.identity.getAccount(.init(), metadata: session.metadata).account)
      let after = try #require(
        try await rig.identity.updateAccount(
          .init(etag: before.etag, email: "new@example.org", weightKg: 61.5), metadata: session.metadata
        ).account)
      #expect(after.email == "new@example.org" && after.etag != before.etag)
      guard case .person(let person) = after.details else { throw WaitedInVain() }
      #expect(person.weightKg == 61.5 && person.heightCm == 170 && person.dateOfBirth == "1980-12-31")
      let stale = await status {
        _ = try await rig.identity.updateAccount(.init(etag: before.etag, heightCm: 171), metadata: session.metadata)
      }
      #expect(stale?.code == .aborted && stale?.errorInfo?.reason == "STALE_ETAG")
      #expect(
        await fields {
          _ = try await rig.identity.updateAccount(
            .init(
              email: "no address", weightKg: .nan, heightCm: 29, description: "x",
              fields: [.init(name: "shoe_size", value: "41")]), metadata: session.metadata)
        } == ["etag", "email", "weight_kg", "height_cm", "description", "fields[0].name"])
    }
  }

  /// A-R1: an e-mail address is one account's, over persons and third parties alike; the others do not hear of it.
  @Test func ofManyAccountsThatTakeOneAddressOneGetsIt() async throws {
    try await withServer { rig in
      var sessions: [Trackme_Identity_V1_Session] = []
      for index in 0..<10 {
        _ = try await rig.account("user\(index)", kind: index % 2 == 0 ? .person : .thirdParty)
        sessions.append(try await rig.logIn("user\(index)"))
      }
      await withTaskGroup(of: Void.self) { group in
        for (index, session) in sessions.enumerated() {
          group.addTask {
            let end = await status {
              _ = try await rig.identity.updateAccount(
                .init(etag: "1", email: index % 2 == 0 ? "one@example.org" : "ONE@example.org"),
                metadata: session.metadata)
            }
            #expect(end == nil)
          }
        }
      }
      let counts = try rig.connection().query(
        "SELECT count(*) FILTER (WHERE email IS NOT NULL), count(claimed_email) FROM account", [])
      #expect(try counts.int64(0, 0) == 1)
      #expect(try counts.int64(0, 1) == 9)
    }
  }
}
