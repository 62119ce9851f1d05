internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import Storage
public import WireCodec

extension AdminService {
  public func createBridge(
    _ request: Trackme_Admin_V1_CreateBridgeRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_CreateBridgeResponse {
    let administrator = try context.administrator()
    var violations = Violations()
    violations.addRequestID(request.requestID)
    violations.add("name", Username.problem(request.name))
    try violations.check()

    let token = TokenHash.newToken()
    let added = try await staff.addBridge(
      name: request.name, tokenHash: TokenHash(token).bytes, by: administrator, requestID: request.requestID)
    switch added {
    case .made(let bridge): return .init(bridgeID: bridge, token: token)
    case .earlier(let bridge): throw RPCStatus.madeBefore("bridge", bridge)
    case nil:
      throw RPCStatus(
        .alreadyExists, reason: "USERNAME_TAKEN", message: "name is taken.",
        violations: [.init(field: "name", problem: "is taken")])
    }
  }
}
