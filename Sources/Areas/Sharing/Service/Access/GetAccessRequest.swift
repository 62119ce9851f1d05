internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension AccessService {
  /// A third party sees whom it is about only while it is accepted.
  /// - Throws: as `record(_:of:)`.
  public func getAccessRequest(
    _ request: Trackme_Sharing_V1_GetAccessRequestRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_GetAccessRequestResponse {
    let account = try context.account()
    return .init(accessRequest: wire(try await record(request.accessRequestID, of: account), for: account))
  }
}
