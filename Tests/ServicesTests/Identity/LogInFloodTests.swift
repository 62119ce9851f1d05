import IdentityRules
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

/// What somebody who tries passwords can do to the others: nothing (A-R4).
@Suite(.timeLimit(.minutes(5))) struct LogInFloodTests {
  /// A stranger behind a proxy, by address.
  private func from(_ address: String, _ token: String? = nil) -> Metadata {
    var metadata: Metadata = ["x-forwarded-for": address]
    if let token { metadata.append("authorization", "Bearer \(token)") }
    return metadata
  }

  private func logIn(
    _ rig: ServiceRig, _ name: String, _ metadata: Metadata, password: String = ServiceRig.password
  ) async -> String? {
    await reason { _ = try await rig.identity.logIn(.init(name: name, password: password), metadata: metadata) }
  }

  private func withStrangers(_ name: String = #function, _ body: (ServiceRig) async throws -> Void) async throws {
    let proxies = try #require(TrustedProxies("127.0.0.1"))
    try await withServer(name, configure: { $0.trustedProxies = proxies }, body)
  }

  /// Wrong passwords of strangers for each account, as many as lock it.
  private func lockEverybody(_ rig: ServiceRig) throws {
    _ = try rig.connection().query(
      """
      SELECT count_log_in(sha256(convert_to('account/' || id, 'UTF8')), false, $1, $2 * interval '1 microsecond')
      FROM account, generate_series(1, $1)
      """, [.int4(Int32(LogInLock.wrongInARow)), .int8(LogInLock.time)])
  }

  @Test func aFloodOfRandomNamesKeepsNobodyOut() async throws {
    try await withStrangers { rig in
      _ = try await rig.account("ada")
      let (busy, isOver) = (Counter(), Counter())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            while isOver.value == 0 {
              let heard = await logIn(rig, "nobody\(number)", from("192.0.2.\(number % 8)"))
              if heard == "TOO_BUSY" { busy.add(1) }
              try await Task.sleep(for: .milliseconds(1))
            }
          }
        }
        defer { isOver.add(1) }
        // Of the strangers some are turned away, so all places that they can have are taken.
        try await eventually { busy.value > 0 }
        for number in 0..<10 { #expect(await logIn(rig, "ada", from("203.0.\(number).1")) == nil) }
      }
    }
  }

  @Test func wrongPasswordsAreBoundedByAddressBeforeTheyAreHashed() async throws {
    try await withStrangers { rig in
      _ = try await rig.account("ada")
      // Those that are right do not count.
      for _ in 0..<3 { #expect(await logIn(rig, "ada", from("192.0.2.1")) == nil) }
      for number in 0..<30 {
        #expect(await logIn(rig, "nobody\(number)", from("192.0.2.1")) == "WRONG_NAME_OR_PASSWORD")
      }
      #expect(await logIn(rig, "nobody", from("192.0.2.1")) == "TOO_MANY_WRONG_PASSWORDS")
      #expect(await logIn(rig, "ada", from("192.0.2.1")) == "TOO_MANY_WRONG_PASSWORDS")
      #expect(await logIn(rig, "ada", from("192.0.2.2")) == nil)
      // Nor does it hold for a device that the account knows.
      let session = try await rig.logIn(from: from("192.0.2.2"))
      #expect(await logIn(rig, "ada", from("192.0.2.1", session.token)) == nil)
    }
  }

  @Test func whoIsKnownToAnAccountGetsPastTheLockOfStrangers() async throws {
    try await withStrangers { rig in
      _ = try await rig.account("ada")
      _ = try await rig.account("eve")
      let session = try await rig.logIn(from: from("203.0.113.1"))
      let device = try await rig.identity.createDevice(.init(name: "Watch"), metadata: session.metadata).token
      let other = try await rig.identity.logIn(.init(name: "eve", password: ServiceRig.password)).session
      for _ in 0..<5 {
        #expect(await logIn(rig, "ada", from("192.0.2.1"), password: "wrong") == "WRONG_NAME_OR_PASSWORD")
      }

      for token in [nil, "tm_nothing", other?.token] {
        #expect(await logIn(rig, "ada", from("203.0.113.1", token)) == "LOG_IN_LOCKED")
      }
      for token in [session.token, session.refreshToken, device] {
        #expect(await logIn(rig, "ADA@example.org", from("203.0.113.1", token)) == nil)
      }
      // Strangers stay locked out, and a refresh token is used once.
      #expect(await logIn(rig, "ada", from("203.0.113.1")) == "LOG_IN_LOCKED")
      _ = try await rig.identity.refreshSession(.init(refreshToken: session.refreshToken))
      #expect(await logIn(rig, "ada", from("203.0.113.1", session.refreshToken)) == "LOG_IN_LOCKED")
      // In a session one can do all that takes the password.
      #expect(
        await reason {
          _ = try await rig.identity.changePassword(
            .init(oldPassword: ServiceRig.password, newPassword: "another password"), metadata: session.metadata)
        } == nil)
    }
  }

  @Test func whoIsKnownHasACountOfItsOwn() async throws {
    try await withStrangers { rig in
      _ = try await rig.account("ada")
      let session = try await rig.logIn(from: from("203.0.113.1"))
      let device = try await rig.identity.createDevice(.init(name: "Watch"), metadata: session.metadata).token
      for _ in 0..<5 {
        #expect(await logIn(rig, "ada", from("203.0.113.1", device), password: "wrong") == "WRONG_NAME_OR_PASSWORD")
      }
      #expect(await logIn(rig, "ada", from("203.0.113.1", device)) == "LOG_IN_LOCKED")
      // They counted as everybody's as well.
      #expect(await logIn(rig, "ada", from("203.0.113.1")) == "LOG_IN_LOCKED")
      #expect(await logIn(rig, "ada", from("203.0.113.1", session.token)) == nil)
    }
  }

  @Test func administratorsAtTheServersMachineGetPastTheLockOfStrangers() async throws {
    try await withServer { rig in
      _ = try await rig.account("ada")
      _ = try await rig.account("boss", kind: .administrator)
      try lockEverybody(rig)
      #expect(await logIn(rig, "ada", [:]) == "LOG_IN_LOCKED")
      #expect(await logIn(rig, "boss", [:]) == nil)
      for _ in 0..<5 { #expect(await logIn(rig, "boss", [:], password: "wrong") == "WRONG_NAME_OR_PASSWORD") }
      #expect(await logIn(rig, "boss", [:]) == "LOG_IN_LOCKED")
    }
    try await withStrangers("administratorsElsewhere") { rig in
      _ = try await rig.account("boss", kind: .administrator)
      try lockEverybody(rig)
      for metadata: Metadata in [[:], from("127.0.0.1"), from("203.0.113.1")] {
        #expect(await logIn(rig, "boss", metadata) == "LOG_IN_LOCKED")
      }
    }
  }
}

extension ServiceRig {
  fileprivate func logIn(from metadata: Metadata) async throws -> Trackme_Identity_V1_Session {
    try #require(try await identity.logIn(.init(name: "ada", password: Self.password), metadata: metadata).session)
  }
}
