internal import IdentityRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Ends every other session of the account; the caller's goes on.
  /// - Throws: INVALID_ARGUMENT; as `check(password:of:_:)`; ABORTED with reason PASSWORD_CHANGED if another session
  ///   was faster.
  public func changePassword(
    _ request: Trackme_Identity_V1_ChangePasswordRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_ChangePasswordResponse {
    let account = try context.account()
    var violations: [FieldViolation] = []
    if request.oldPassword.isEmpty { violations.append(.init(field: "old_password", problem: "must not be empty")) }
    if let problem = Password.problem(request.newPassword) {
      violations.append(.init(field: "new_password", problem: problem))
    } else if request.newPassword == request.oldPassword {
      violations.append(.init(field: "new_password", problem: "must be another one than the old"))
    }
    guard violations.isEmpty else { throw RPCStatus.invalidArgument(violations: violations) }

    let old = try await check(password: request.oldPassword, of: account, context)
    let new = try await passwordTurns.run(for: context.client) { try await hasher.hash(request.newPassword) }
    access.spare(context.call, of: account)
    guard try await storage.passwords.change(of: account, from: old, to: new, keeping: context.session) else {
      throw RPCStatus.failure(
        .aborted, reason: "PASSWORD_CHANGED", message: "the password was changed in another session meanwhile")
    }
    access.end(.sessions(of: account, except: context.session))
    return .init()
  }
}
