import Domain
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

/// A-R4, B-R.A3: log in with username or e-mail address and password.
@Suite(.timeLimit(.minutes(5))) struct LogInTests {
  private func wrong(_ rig: ServiceRig, _ name: String) async -> RPCStatus? {
    await status { _ = try await rig.identity.logIn(.init(name: name, password: "a wrong password")) }
  }

  @Test func aUsernameOrAnAddressInAnyCaseBeginsASession() async throws {
    try await withServer { rig in
      let account = try await rig.account("Ada.Rossi")
      for name in ["Ada.Rossi", "ada.rossi", "ADA.ROSSI@example.ORG"] {
        let session = try await rig.logIn(name)
        #expect(session.accountID == account && session.kind == .person && session.token != session.refreshToken)
        let seen = try await rig.identity.getAccount(.init(), metadata: session.metadata).account
        #expect(seen?.accountID == account && seen?.username == "Ada.Rossi" && seen?.kind == .person)
      }
      let rows = try rig.connection().query(
        """
        SELECT extract(epoch FROM expires_at - created_at)::bigint FROM access_token ORDER BY kind, created_at LIMIT 1
        """, [])
      #expect(try rows.int64(0, 0) == 30 * 86_400)
    }
  }

  @Test func fiveWrongPasswordsInARowLockAName() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      for name in ["ada", "nobody"] {
        for _ in 0..<5 {
          let end = await wrong(rig, name)
          #expect(end?.code == .unauthenticated && end?.errorInfo?.reason == "WRONG_NAME_OR_PASSWORD")
        }
        let end = await status { _ = try await rig.logIn(name) }
        #expect(end?.code == .resourceExhausted && end?.errorInfo?.reason == "LOG_IN_LOCKED")
        let seconds = end?.errorInfo?.metadata.first { $0.key == "retry_after_seconds" }?.value
        #expect((45...50).contains(Int(seconds ?? "") ?? 0))
      }
      // Both names of an account share one count; and the lock is over after its time.
      #expect(await reason { _ = try await rig.logIn("ada@example.org") } == "LOG_IN_LOCKED")
      try rig.connection().execute("UPDATE log_in_attempt SET locked_until = now() - interval '1 second'")
      _ = try await rig.logIn("ada")
    }
  }

  @Test func aRightPasswordBeginsTheCountAnew() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      for _ in 0..<3 {
        for _ in 0..<4 { #expect(await wrong(rig, "ada")?.code == .unauthenticated) }
        _ = try await rig.logIn("ada")
      }
    }
  }

  @Test func ofManyGuessesSideBySideFiveAreTold() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      for name in ["ada", "nobody"] {
        let (told, locked) = (Counter(), Counter())
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<30 {
            group.addTask {
              switch await wrong(rig, name)?.errorInfo?.reason {
              case "WRONG_NAME_OR_PASSWORD": told.add(1)
              case "LOG_IN_LOCKED": locked.add(1)
              case let other: Issue.record("\(other ?? "nothing")")
              }
            }
          }
        }
        #expect(told.value == 5 && locked.value == 25)
      }
    }
  }

  @Test func endedAccountsAndBridgesDoNotLogIn() async throws {
    try await withServer { rig in
      let account = try await rig.account("ada")
      _ = try await rig.account("gateway", kind: .bridge)
      _ = try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(account)])
      for name in ["ada", "gateway"] {
        #expect(await reason { _ = try await rig.logIn(name) } == "WRONG_NAME_OR_PASSWORD")
      }
    }
  }

  @Test func badInputNamesEveryField() async throws {
    try await withServer { rig in
      #expect(await fields { _ = try await rig.identity.logIn(.init()) } == ["name", "password"])
      #expect(
        await fields {
          _ = try await rig.identity.logIn(.init(name: String(repeating: "x", count: 255), password: "x"))
        } == ["name"])
      #expect(
        await reason {
          _ = try await rig.identity.logIn(.init(name: "'; DROP TABLE account; --", password: "' OR 1=1 --"))
        } == "WRONG_NAME_OR_PASSWORD")
    }
  }

  @Test func changingThePasswordEndsOtherSessionsAndTellsTheInbox() async throws {
    try await withServer { rig in
      let account = try await rig.account("ada")
      let (here, there) = (try await rig.logIn("ada"), try await rig.logIn("ada"))
      let (kept, ended) = (try await rig.watch(as: here.metadata), try await rig.watch(as: there.metadata))
      _ = try await rig.identity.changePassword(
        .init(oldPassword: ServiceRig.password, newPassword: "another password"), metadata: here.metadata)
      let (status, time) = await end(of: ended)
      #expect(status?.code == .unauthenticated && status?.errorInfo?.reason == "SESSION_ENDED" && time < .seconds(10))
      #expect(
        await reason { _ = try await rig.identity.getAccount(.init(), metadata: there.metadata) } == "UNAUTHENTICATED")
      _ = try await rig.identity.getAccount(.init(), metadata: here.metadata)
      kept.cancel()
      #expect(await reason { _ = try await rig.logIn("ada") } == "WRONG_NAME_OR_PASSWORD")
      _ = try await rig.logIn("ada", password: "another password")
      let told = try rig.connection().query(
        "SELECT count(*) FROM notification WHERE account = $1 AND kind = 10", [.int8(account)])
      #expect(try told.int64(0, 0) == 1)
    }
  }

  @Test func aWrongOldPasswordCountsAsAWrongLogIn() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      let session = try await rig.logIn("ada")
      for _ in 0..<5 {
        let end = await reason {
          _ = try await rig.identity.changePassword(
            .init(oldPassword: "a wrong one", newPassword: "another password"), metadata: session.metadata)
        }
        #expect(end == "WRONG_PASSWORD")
      }
      #expect(await reason { _ = try await rig.logIn("ada") } == "LOG_IN_LOCKED")
      #expect(
        await fields {
          _ = try await rig.identity.changePassword(.init(newPassword: "short"), metadata: session.metadata)
        } == ["old_password", "new_password"])
    }
  }
}
