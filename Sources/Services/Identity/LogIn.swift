internal import RPCRuntime
public import ServiceAPI
internal import Storage
public import WireCodec

extension IdentityService {
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

    let record = try await storage.passwords.find(name: request.name)
    guard try await isRight(request.password, record), let account = record.account,
      let session = try await beginSession(for: account, passwordHash: record.hash)
    else {
      throw RPCStatus.failure(
        .unauthenticated, reason: "WRONG_NAME_OR_PASSWORD", message: "there is no such name with this password")
    }
    return .init(session: session)
  }
}
