internal import OpenIDConnect
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Needs the password, because it makes a way in that outlives the session.
  /// - Throws: INVALID_ARGUMENT; as `check(password:of:_:)` and `identity(idToken:)`; ALREADY_EXISTS with reason
  ///   OPENID_ALREADY_LINKED.
  public func linkOpenID(
    _ request: Trackme_Identity_V1_LinkOpenIDRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_LinkOpenIDResponse {
    let account = try context.account()
    _ = try openIDProvider()
    guard !request.password.isEmpty else {
      throw RPCStatus.invalidArgument(field: "password", problem: "must not be empty")
    }
    // Whoever has found an open session must not get a way in that outlives it.
    let hash = try await check(password: request.password, of: account, context)
    let identity = try await identity(idToken: request.idToken)
    let link = try await storage.openID.link(
      account, passwordHash: hash, issuer: identity.issuer, subject: identity.subject)
    switch link {
    case .linked: return .init()
    case .taken:
      throw RPCStatus.failure(
        .alreadyExists, reason: "OPENID_ALREADY_LINKED",
        message: "this sign-in is linked with another account, or the account with another sign-in")
    case .noAccount: throw RPCStatus.sessionEnded
    }
  }
}
