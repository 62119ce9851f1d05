internal import OpenIDConnect
internal import RPCRuntime
public import ServiceAPI
internal import Storage
public import WireCodec

extension IdentityService {
  public func startOpenIDLogIn(
    _ request: Trackme_Identity_V1_StartOpenIDLogInRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_StartOpenIDLogInResponse {
    let provider = try openIDProvider()
    let endpoint: String
    do throws(OpenIDError) { endpoint = try await provider.authorizationEndpoint() } catch {
      throw Self.status(of: error)
    }
    let nonce = TokenHash.newToken()
    try await storage.openID.addNonce(hash: TokenHash(nonce).bytes)
    return .init(authorizationEndpoint: endpoint, clientID: provider.clientID, nonce: nonce)
  }
}
