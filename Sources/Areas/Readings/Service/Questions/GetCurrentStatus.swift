internal import Domain
public import ServiceAPI
public import WireCodec

extension ReadingService {
  /// The newest reading of each metric, however old.
  /// - Throws: INVALID_ARGUMENT; PERMISSION_DENIED.
  public func getCurrentStatus(
    _ request: Trackme_Readings_V1_GetCurrentStatusRequest, context: CallContext
  ) async throws -> Trackme_Readings_V1_GetCurrentStatusResponse {
    let person = try person(request.personID, context)
    let newest = try await store.currentStatus(of: person, metrics: metrics.catalog.metrics.map(\.id))
    return .init(readings: try await rows(newest))
  }
}
