internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension SosService {
  /// Ends one that is on, or takes one back that is to come.
  /// - Throws: NOT_FOUND with reason NO_EXERTION, also for one of others.
  public func endExertion(
    _ request: Trackme_Sos_V1_EndExertionRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_EndExertionResponse {
    let person = try context.account()
    guard request.exertionID > 0 else {
      throw RPCStatus.invalidArgument(field: "exertion_id", problem: "must be positive")
    }
    guard try await store.endExertion(request.exertionID, of: person, at: clock()) else {
      throw RPCStatus.failure(.notFound, reason: "NO_EXERTION", message: "there is no such exertion of yours")
    }
    try await roster.refresh()
    return .init()
  }
}
