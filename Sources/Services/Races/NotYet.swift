internal import RPCRuntime
public import ServiceAPI
internal import Storage
public import WireCodec

// What is not built yet: the caller is checked, and told so.

extension RPCStatus {
  fileprivate static let notYet = failure(.unimplemented, reason: "NOT_YET", message: "this call is not built yet")
}

extension RaceService {
  public func planRoutes(
    _ request: Trackme_Races_V1_PlanRoutesRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_PlanRoutesResponse { try throwNotYet(context) }

  public func exportRun(
    _ request: Trackme_Races_V1_ExportRunRequest, responses: ResponseWriter<Trackme_Races_V1_ExportRunResponse>,
    context: CallContext
  ) async throws { try throwNotYet(context) }

  private func throwNotYet(_ context: CallContext) throws -> Never {
    _ = try context.person()
    throw RPCStatus.notYet
  }
}
