internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Ends the calls of what it ends too, but for this one.
  /// - Throws: FAILED_PRECONDITION with reason NO_SESSION for a token of another kind, unless all sessions are to end.
  public func logOut(
    _ request: Trackme_Identity_V1_LogOutRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_LogOutResponse {
    let account = try context.account()
    access.spare(context.call, of: account)
    if request.allSessions {
      try await storage.sessions.endAll(of: account)
      access.end(.sessions(of: account, except: nil))
    } else if let session = context.session {
      try await storage.sessions.end(session)
      access.end(.session(session, of: account))
    } else {
      throw RPCStatus.failure(
        .failedPrecondition, reason: "NO_SESSION", message: "the token is not one of a session")
    }
    return .init()
  }
}
