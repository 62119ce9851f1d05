internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Open to whoever has a refresh token. Each is good once: whoever brings a used one ends the session, as one of two
  /// has stolen it.
  /// - Throws: UNAUTHENTICATED with reason SESSION_ENDED or REFRESH_TOKEN_NOT_VALID; INVALID_ARGUMENT.
  public func refreshSession(
    _ request: Trackme_Identity_V1_RefreshSessionRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_RefreshSessionResponse {
    guard (1...256).contains(request.refreshToken.utf8.count) else {
      throw RPCStatus.invalidArgument(field: "refresh_token", problem: "must be the refresh token of a session")
    }
    let tokens = SessionTokens()
    let hash = TokenHash(request.refreshToken).bytes
    let count = access.changes
    switch try await storage.sessions.refresh(tokenHash: hash, tokens: tokens.hashes) {
    case .done(let record):
      await begin(tokens, record, asOf: count)
      return .init(session: .init(record, tokens))
    case .ended(let session, of: let account):
      access.end(.session(session, of: account))
      throw RPCStatus.failure(
        .unauthenticated, reason: "SESSION_ENDED",
        message: "the refresh token was used before; its session has ended")
    case .unknown:
      throw RPCStatus.failure(
        .unauthenticated, reason: "REFRESH_TOKEN_NOT_VALID", message: "the refresh token is not valid any more")
    }
  }
}
