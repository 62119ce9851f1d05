internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension IdentityService {
  /// Without a link it changes nothing. Sessions go on.
  public func unlinkOpenID(
    _ request: Trackme_Identity_V1_UnlinkOpenIDRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_UnlinkOpenIDResponse {
    try await storage.openID.unlink(try context.account())
    return .init()
  }
}
