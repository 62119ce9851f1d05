internal import Domain
public import ServiceAPI
public import WireCodec

extension SosService {
  /// Those that are on or to come.
  public func listExertions(
    _ request: Trackme_Sos_V1_ListExertionsRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_ListExertionsResponse {
    let person = try context.account()
    return .init(exertions: try await store.exertions(of: person, at: clock()).map { .init($0) })
  }
}
