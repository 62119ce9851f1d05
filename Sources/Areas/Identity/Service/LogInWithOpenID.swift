internal import OpenIDConnect
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Open to everyone with an ID token for a nonce of `startOpenIDLogIn`, which is good once.
  /// - Throws: as `identity(idToken:)`; FAILED_PRECONDITION with reason OPENID_NOT_LINKED.
  public func logInWithOpenID(
    _ request: Trackme_Identity_V1_LogInWithOpenIDRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_LogInWithOpenIDResponse {
    let identity = try await identity(idToken: request.idToken)
    guard let account = try await storage.openID.account(issuer: identity.issuer, subject: identity.subject),
      let session = try await beginSession(for: account)
    else {
      throw RPCStatus.failure(
        .failedPrecondition, reason: "OPENID_NOT_LINKED",
        message: "no account is linked with this sign-in: log in with a password, then link it")
    }
    return .init(session: session)
  }
}
