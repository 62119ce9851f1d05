internal import Identity
internal import IdentityRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// The third party that has registered with the code is called so when it returns, wherever it is named.
  /// - Throws: INVALID_ARGUMENT; NOT_FOUND with reason NO_SUCH_CODE; ABORTED with reason STALE_ETAG; FAILED_PRECONDITION with
  ///   reason CODE_WITHDRAWN.
  public func updateThirdPartyCode(
    _ request: Trackme_Admin_V1_UpdateThirdPartyCodeRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_UpdateThirdPartyCodeResponse {
    let administrator = try context.account()
    var violations = Violations()
    if request.codeID <= 0 { violations.add("code_id", "must be positive") }
    if request.etag.isEmpty { violations.add("etag", "must be the etag of the code") }
    let holder = CodeHolder(name: request.company, kind: HolderKind(request.kind), checked: request.checked)
    violations.add(holder)
    violations.addReason(request.reason)
    try violations.check()
    guard let version = Int64(request.etag) else { throw RPCStatus.staleEtag }
    do {
      return .init(
        thirdPartyCode: .init(
          try await codes.change(
            request.codeID, version: version, to: holder, reason: request.reason, by: administrator, at: clock())))
    } catch let refusal as ThirdPartyCodes.Refusal {
      throw refusal.status
    }
  }

  /// Nobody can register with it when it returns.
  /// - Throws: INVALID_ARGUMENT; NOT_FOUND with reason NO_SUCH_CODE; FAILED_PRECONDITION with reason CODE_USED.
  public func withdrawThirdPartyCode(
    _ request: Trackme_Admin_V1_WithdrawThirdPartyCodeRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_WithdrawThirdPartyCodeResponse {
    let administrator = try context.account()
    var violations = Violations()
    if request.codeID <= 0 { violations.add("code_id", "must be positive") }
    violations.addReason(request.reason)
    try violations.check()
    do {
      return .init(
        thirdPartyCode: .init(
          try await codes.withdraw(request.codeID, reason: request.reason, by: administrator, at: clock())))
    } catch let refusal as ThirdPartyCodes.Refusal {
      throw refusal.status
    }
  }
}

extension ThirdPartyCodes.Refusal {
  fileprivate var status: RPCStatus {
    switch self {
    case .unknown: .failure(.notFound, reason: "NO_SUCH_CODE", message: "there is no code of this number")
    case .stale: .staleEtag
    case .withdrawn: .failure(.failedPrecondition, reason: "CODE_WITHDRAWN", message: "the code was withdrawn")
    case .used:
      .failure(
        .failedPrecondition, reason: "CODE_USED",
        message: "a third party has registered with the code: disable its account")
    }
  }
}
