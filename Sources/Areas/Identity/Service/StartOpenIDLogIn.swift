internal import OpenIDConnect
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension IdentityService {
  /// Open to everyone. Nothing is kept: that the nonce is ours and not too old is sealed in it.
  /// - Throws: FAILED_PRECONDITION with reason OPENID_NOT_CONFIGURED; UNAVAILABLE with reason
  ///   OPENID_ISSUER_UNAVAILABLE.
  public func startOpenIDLogIn(
    _ request: Trackme_Identity_V1_StartOpenIDLogInRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_StartOpenIDLogInResponse {
    let provider = try openIDProvider()
    let endpoint: String
    do throws(OpenIDError) { endpoint = try await provider.authorizationEndpoint() } catch {
      throw Self.status(of: error)
    }
    return .init(authorizationEndpoint: endpoint, clientID: provider.clientID, nonce: newNonce())
  }
}
