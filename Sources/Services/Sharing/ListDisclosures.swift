internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension AccessService {
  public func listDisclosures(
    _ request: Trackme_Sharing_V1_ListDisclosuresRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_ListDisclosuresResponse { throw RPCStatus(.unimplemented) }
}
