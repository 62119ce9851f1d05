internal import Domain
internal import Identity
internal import IdentityRules
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// The answer is the only place where the token ever is.
  /// - Throws: as `addProgram`.
  public func createBridge(
    _ request: Trackme_Admin_V1_CreateBridgeRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_CreateBridgeResponse {
    let administrator = try context.account()
    let (bridge, token) = try await addProgram(
      .bridge, name: request.name, by: administrator, requestID: request.requestID)
    return .init(bridgeID: bridge, token: token)
  }

  /// Makes the account of a program and its token.
  /// - Throws: INVALID_ARGUMENT; ALREADY_EXISTS if the name is taken, or with the number that was made before.
  func addProgram(
    _ program: StaffAccounts.Program, name: String, by administrator: AccountID, requestID: String,
    _ check: (inout Violations) -> Void = { _ in }
  ) async throws -> (AccountID, token: String) {
    var violations = Violations()
    violations.addRequestID(requestID)
    violations.add("name", Username.problem(name))
    check(&violations)
    try violations.check()

    let token = TokenHash.newToken()
    let count = access.changes
    let added = try await staff.add(
      program, name: name, tokenHash: TokenHash(token).bytes, by: administrator, requestID: requestID)
    switch added {
    case .made(let account):
      let principal: Principal = if case .bridge = program { .bridge(account) } else { .dispatcher(account) }
      await access.begin(token, TokenHolder(principal: principal), asOf: count)
      return (account, token)
    case .earlier(let account):
      let kind = if case .bridge = program { "bridge" } else { "dispatcher" }
      throw RPCStatus.madeBefore(kind, account)
    case nil:
      throw RPCStatus(
        .alreadyExists, reason: "USERNAME_TAKEN", message: "name is taken.",
        violations: [.init(field: "name", problem: "is taken")])
    }
  }
}
