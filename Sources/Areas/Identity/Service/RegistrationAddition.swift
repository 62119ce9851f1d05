package import Domain
package import Postgres
package import ServiceKit
internal import Synchronization
package import WireCodec

/// What an area makes beside a person's account, in the transaction that registers it.
package struct RegistrationAddition: Sendable {
  /// Writes what belongs to a new account, in the transaction that makes it.
  /// - Throws: `PostgresError`; then there is no account.
  package typealias Write = @Sendable (_ connection: Connection, _ account: AccountID) throws -> Void

  /// Looks at a registration, adds what is wrong with it, and returns what is to be written. Age: in full years; nil where
  /// the date of birth is wrong.
  let check:
    @Sendable (
      _ request: Trackme_Identity_V1_RegisterPersonRequest, _ age: Int?, _ violations: inout Violations
    ) -> Write
  /// Hears of a new account before it is answered.
  let registered: @Sendable () async -> Void

  package init(
    check: @escaping @Sendable (Trackme_Identity_V1_RegisterPersonRequest, Int?, inout Violations) -> Write,
    registered: @escaping @Sendable () async -> Void
  ) {
    self.check = check
    self.registered = registered
  }
}

/// The additions of all areas.
package final class RegistrationAdditions: Sendable {
  private let additions = Mutex<[RegistrationAddition]>([])

  package init() {}

  /// To be called before the first call comes.
  package func add(_ addition: RegistrationAddition) { additions.withLock { $0.append(addition) } }

  var all: [RegistrationAddition] { additions.withLock { $0 } }
}
