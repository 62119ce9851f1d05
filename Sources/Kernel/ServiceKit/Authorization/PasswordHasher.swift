internal import Crypto
package import Metering
internal import Postgres
internal import RPCRuntime
internal import Threads

/// Makes and checks hashes of passwords, with Argon2id, on a thread of its own.
///
/// One hash takes some 20 ms and 19 MiB: that is its purpose. So hashes are made one after the other, and at most
/// `maxWaiting` of them wait.
public final class PasswordHasher: Sendable {
  /// Two passes over 19 MiB with one lane: the least that OWASP asks of Argon2id (Password Storage Cheat Sheet,
  /// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
  static let passes: UInt64 = 2
  static let memoryBytes = 19 << 20
  /// Hashes that wait for the thread, at most: about a second and a half of work. Calls take turns before that, see
  /// `PasswordTurns`.
  package static let maxWaiting = 64

  /// What is checked where there is no hash. It stands for no password: nobody knows what gives a tag of zeros.
  private static let dummy =
    "$argon2id$v=19$m=19456,t=2,p=1$" + String(repeating: "A", count: 22) + "$" + String(repeating: "A", count: 43)

  private let argon2id = Argon2id(passes: passes, memoryBytes: memoryBytes)
  private let thread: WorkerThread

  /// Starts the thread, which ends with this object.
  public init() {
    thread = WorkerThread("passwords", priority: .low, maxWaiting: Self.maxWaiting)
  }

  /// What waits to be hashed or checked.
  package var measure: Measure {
    .queue("password_hashes", limit: thread.maxWaiting) { [thread] in thread.waitingCount }
  }

  /// A hash of a password with a new salt, in the form of the PHC string format: at most 127 ASCII characters.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_BUSY.
  public func hash(_ password: String) async throws -> String {
    try await run { [argon2id] in
      guard let hash = argon2id.hash(password) else { throw RPCStatus.tooBusy }
      return hash
    }
  }

  /// Whether a hash was made of a password.
  /// - Parameter hash: as `hash(_:)` returned it; nil does the same work and is false, so that an answer takes the same
  ///   time where there is no account.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_BUSY.
  public func verify(_ password: String, against hash: String?) async throws -> Bool {
    try await run {
      let isRight = Argon2id.verify(password, against: hash ?? Self.dummy)
      return isRight && hash != nil
    }
  }

  private func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
    do { return try await thread.run(work) } catch is WorkerThread.Full { throw RPCStatus.tooBusy }
  }
}
