internal import Domain
internal import RPCRuntime
internal import ServiceKit
internal import SosRules
internal import Synchronization

/// Who answers calls at which desk, in memory: who has a session can answer while the database is away.
final class DeskRoster: Sendable {
  private let operators: DeskOperators
  private let known = Mutex<[AccountID: DeskOperatorRecord]>([:])

  init(operators: DeskOperators) { self.operators = operators }

  /// Takes up everybody who is not revoked. To be called before the first call comes, and every second.
  /// - Throws: `PostgresError`; what was known holds then.
  func refresh() async throws {
    let records = try await operators.active()
    known.withLock { $0 = Dictionary(uniqueKeysWithValues: records.map { ($0.account, $0) }) }
  }

  /// Somebody who may work. The database is asked about those who are new, or have to change their password.
  /// - Throws: UNAUTHENTICATED for nobody; FAILED_PRECONDITION with reason PASSWORD_CHANGE_DUE; `PostgresError`.
  func worker(_ account: AccountID) async throws -> DeskOperatorRecord {
    if let record = known.withLock({ $0[account] }), !record.isPasswordInitial { return record }
    guard let record = try await operators.find(account) else { throw RPCStatus.unauthenticated }
    known.withLock { $0[account] = record }
    guard !record.isPasswordInitial else { throw RPCStatus.passwordChangeDue }
    return record
  }

  /// Whether there is nobody of the number any more, as far as is known.
  func isGone(_ account: AccountID) -> Bool { known.withLock { $0[account] == nil } }
}

extension DeskOperatorRecord {
  /// As emergencies keep it.
  var person: DeskOperator { DeskOperator(account: account, name: name) }
}

extension RPCStatus {
  fileprivate static let passwordChangeDue = failure(
    .failedPrecondition, reason: "PASSWORD_CHANGE_DUE",
    message: "the password is one that somebody else has chosen: change it first")
}
