internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension AccessService {
  public func getAccessRequest(
    _ request: Trackme_Sharing_V1_GetAccessRequestRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_GetAccessRequestResponse {
    let account = try context.party()
    return .init(accessRequest: wire(try await record(request.accessRequestID, of: account), for: account))
  }
}
