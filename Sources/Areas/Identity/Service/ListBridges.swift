internal import Domain
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension IdentityService {
  /// All of them: they are few, as `BridgeStore.maxPerPerson` says.
  public func listBridges(
    _ request: Trackme_Identity_V1_ListBridgesRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_ListBridgesResponse {
    .init(bridges: try await storage.bridges.list(of: try context.account()).map { .init($0) })
  }
}
