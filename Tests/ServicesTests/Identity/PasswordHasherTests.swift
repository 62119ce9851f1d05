import RPCRuntime
import ServiceAPI
import Synchronization
import Testing
import TestSupport

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

/// B-3.7.3: passwords are stored only as strong hashes.
@Suite(.timeLimit(.minutes(5))) struct PasswordHasherTests {
  @Test func aHashIsArgon2idWithTheParametersOfOWASP() async throws {
    let hash = try await PasswordHasher().hash("correct horse battery staple")
    #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
  }

  @Test func onlyThePasswordItselfIsRight() async throws {
    let hasher = PasswordHasher()
    let hash = try await hasher.hash("pässword 🔒")
    #expect(try await hasher.verify("pässword 🔒", against: hash))
    for wrong in ["pässword 🔓", "", "pässword 🔒 ", "pässword", "PÄSSWORD 🔒"] {
      #expect(try await !hasher.verify(wrong, against: hash))
    }
    #expect(try await hasher.hash("pässword 🔒") != hash)
  }

  /// In processor time, taken by turns: the thread gives way to others, so the time on the clock is theirs too.
  @Test func whereThereIsNoHashTheSameWorkEndsInFalse() async throws {
    let hasher = PasswordHasher()
    let hash = try await hasher.hash("a password")
    func work(_ hash: String?) async throws -> Duration {
      let begin = processorTime()
      #expect(try await !hasher.verify("another", against: hash))
      return processorTime() - begin
    }
    var (known, unknown) = (Duration.seconds(10), Duration.seconds(10))
    for _ in 0..<8 {
      known = min(known, try await work(hash))
      unknown = min(unknown, try await work(nil))
    }
    #expect(unknown > known / 2 && unknown < known * 2)
  }

  @Test func whatIsNoHashIsFalse() async throws {
    let hasher = PasswordHasher()
    for hash in ["", "x", "$argon2id$", String(repeating: "$", count: 500)] {
      #expect(try await !hasher.verify("a password", against: hash))
    }
  }

  @Test func beyondTheQueuesEndCallsAreRefused() async throws {
    let hasher = PasswordHasher()
    let (done, busy) = (Counter(), Counter())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let end = await status { _ = try await hasher.verify("a password", against: nil) }
          if let end {
            #expect(end.code == .resourceExhausted && end.errorInfo?.reason == "TOO_BUSY")
            busy.add(1)
          } else {
            done.add(1)
          }
        }
      }
    }
    #expect(done.value + busy.value == 100 && busy.value > 0 && done.value >= PasswordHasher.maxWaiting)
  }
}
