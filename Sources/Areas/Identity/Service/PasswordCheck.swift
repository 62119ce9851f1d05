internal import Domain
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit

extension RPCStatus {
  /// Too many wrong passwords in a row, of an account or of a name that no account has.
  static func logInLocked(seconds: Int64) -> RPCStatus {
    failure(
      .resourceExhausted, reason: "LOG_IN_LOCKED",
      message: "too many wrong passwords; log-ins of this name are locked for \(seconds) seconds more",
      metadata: ["retry_after_seconds": String(seconds)])
  }
}

extension IdentityService {
  static let maxPasswordBytes = 4 * 128
  /// Of one address. Somebody who is known to the account, by a session or a device, does not count.
  static let wrongPasswordsPerMinute = 30

  /// Checks a password of the caller's account. A wrong one counts as a wrong log-in.
  ///
  /// - Returns: the hash that it was checked against.
  /// - Throws: PERMISSION_DENIED with reason WRONG_PASSWORD, RESOURCE_EXHAUSTED with reason LOG_IN_LOCKED or TOO_BUSY.
  func check(password: String, of account: AccountID, _ context: CallContext) async throws -> String {
    try await passwordTurns.run(for: context.client) {
      let record = try await storage.passwords.find(account: account, session: context.session)
      guard try await isRight(password, record, context.client), let hash = record.hash else {
        throw RPCStatus.failure(.permissionDenied, reason: "WRONG_PASSWORD", message: "the password is wrong")
      }
      return hash
    }
  }

  /// Whether a password is right; counts it. Takes the same time whether or not there is an account. To be called in a
  /// turn of `passwordTurns`.
  func isRight(_ password: String, _ record: PasswordRecord, _ client: ClientAddress) async throws -> Bool {
    if record.lockedSeconds > 0 { throw RPCStatus.logInLocked(seconds: record.lockedSeconds) }
    if record.ownKey == nil { try wrongPasswords.take(client) }
    var isWrong = false
    defer { if record.ownKey == nil, !isWrong { wrongPasswords.giveBack(client) } }
    // No password is longer, and nobody makes the server hash megabytes.
    let isPlausible = password.utf8.count <= Self.maxPasswordBytes
    let isRight = try await hasher.verify(isPlausible ? password : "", against: isPlausible ? record.hash : nil)
    isWrong = !isRight
    let locked = try await storage.passwords.count(record, isRight: isRight)
    if locked > 0 { throw RPCStatus.logInLocked(seconds: locked) }
    return isRight
  }
}
