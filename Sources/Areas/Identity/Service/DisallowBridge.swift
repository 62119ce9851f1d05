internal import Domain
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension IdentityService {
  /// Holds from now on; what the bridge has pushed stays. Also for a bridge that does not exist.
  /// - Throws: INVALID_ARGUMENT.
  public func disallowBridge(
    _ request: Trackme_Identity_V1_DisallowBridgeRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_DisallowBridgeResponse {
    let person = try context.account()
    try Self.check(bridge: request.bridgeID)
    try await storage.bridges.disallow(request.bridgeID, for: person)
    return .init()
  }
}
