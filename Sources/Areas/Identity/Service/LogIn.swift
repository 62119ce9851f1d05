internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Open to everyone. A wrong name takes as long as a wrong password, and is answered in the same way. Passwords are
  /// checked in turns that clients get fairly; whoever finds none is refused.
  /// - Throws: INVALID_ARGUMENT; UNAUTHENTICATED with reason WRONG_NAME_OR_PASSWORD; PERMISSION_DENIED with reason
  ///   ACCOUNT_DISABLED; RESOURCE_EXHAUSTED with reason LOG_IN_LOCKED or TOO_BUSY.
  public func logIn(
    _ request: Trackme_Identity_V1_LogInRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_LogInResponse {
    var violations: [FieldViolation] = []
    // The longest e-mail address has 254 bytes (RFC 3696, erratum 1690).
    if !(1...254).contains(request.name.utf8.count) {
      violations.append(.init(field: "name", problem: "must be a username or an e-mail address"))
    }
    if request.password.isEmpty { violations.append(.init(field: "password", problem: "must not be empty")) }
    guard violations.isEmpty else { throw RPCStatus.invalidArgument(violations: violations) }

    // A token only shows who the client may be: the password is asked for all the same.
    let shown = context.metadata.first("authorization").flatMap { try? Authorization.tokenHash($0) }
    let session = try await passwordTurns.run(for: context.client) {
      let record = try await storage.passwords.find(
        name: request.name, tokenHash: shown?.bytes, isAtMachine: context.client.isThisMachine)
      guard try await isRight(request.password, record, context.client), let account = record.account else {
        return nil as Trackme_Identity_V1_Session?
      }
      return try await beginSession(for: account, passwordHash: record.hash)
    }
    guard let session else {
      throw RPCStatus.failure(
        .unauthenticated, reason: "WRONG_NAME_OR_PASSWORD", message: "there is no such name with this password")
    }
    return .init(session: session)
  }
}
