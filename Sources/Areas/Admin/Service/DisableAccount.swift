internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// Holds here at once, and on every server within a second: sessions, tokens and streams have ended, and requests, grants
  /// and subscriptions with them. An account that is disabled already stays as it is.
  /// - Throws: INVALID_ARGUMENT; NOT_FOUND with reason NO_SUCH_ACCOUNT.
  public func disableAccount(
    _ request: Trackme_Admin_V1_DisableAccountRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_DisableAccountResponse {
    let account = try await set(
      isDisabled: true, request.accountID, name: request.name, reason: request.reason, by: try context.account())
    access.end(.account(account))
    // What does not succeed here is done in a moment: the account is disabled all the same.
    try? await storage.suspend(account, at: clock())
    return .init(accountID: account)
  }

  /// What has ended stays ended.
  /// - Throws: as `disableAccount`.
  public func enableAccount(
    _ request: Trackme_Admin_V1_EnableAccountRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_EnableAccountResponse {
    .init(
      accountID: try await set(
        isDisabled: false, request.accountID, name: request.name, reason: request.reason, by: try context.account()))
  }

  private func set(
    isDisabled: Bool, _ account: AccountID, name: String, reason: String, by administrator: AccountID
  ) async throws -> AccountID {
    var violations = Violations()
    // The longest e-mail address has 254 bytes (RFC 3696, erratum 1690).
    if name.utf8.count > 254 { violations.add("name", "must be a username or an e-mail address") }
    if account < 0 || (account == 0) == name.isEmpty {
      violations.add("account_id", "must be there, or name in its place")
    }
    violations.addReason(reason)
    try violations.check()
    let known = try await storage.disabledAccounts.set(
      isDisabled: isDisabled, account, name: name, reason: reason, by: administrator, at: clock())
    guard let known else {
      throw RPCStatus.failure(
        .notFound, reason: "NO_SUCH_ACCOUNT", message: "there is no person and no third party of this number or name")
    }
    return known
  }
}
