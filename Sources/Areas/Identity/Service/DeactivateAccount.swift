internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// The account ends at once, with its sessions, devices and streams; it is erased later, by the due time of the
  /// receipt. The receipt's id is told here only, and is good without an account.
  /// - Throws: INVALID_ARGUMENT; as `check(password:of:_:)`; ABORTED with reason PASSWORD_CHANGED; FAILED_PRECONDITION
  ///   with reason LAST_ADMINISTRATOR.
  public func deactivateAccount(
    _ request: Trackme_Identity_V1_DeactivateAccountRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_DeactivateAccountResponse {
    let account = try context.account()
    guard !request.password.isEmpty else {
      throw RPCStatus.invalidArgument(field: "password", problem: "must not be empty")
    }
    let hash = try await check(password: request.password, of: account, context)
    let receipt = TokenHash.newToken()
    access.spare(context.call, of: account)
    let outcome = try await storage.erasures.deactivate(
      account, passwordHash: hash, receipt: TokenHash(receipt).bytes, at: clock())
    switch outcome {
    case .deactivated(let record):
      access.end(.account(account))
      // What does not succeed here is done by the erasure's job in a moment: the owner gets the receipt all the same.
      try? await storage.end(account, at: clock())
      return .init(receipt: .init(record, id: receipt))
    case .stale:
      throw RPCStatus.failure(
        .aborted, reason: "PASSWORD_CHANGED", message: "the account was changed in another session meanwhile")
    case .lastAdministrator:
      throw RPCStatus.failure(
        .failedPrecondition, reason: "LAST_ADMINISTRATOR",
        message: "the only administrator can't leave: make another one first")
    }
  }
}
