internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension SosService {
  /// - Throws: FAILED_PRECONDITION with reason NO_ACCOUNT.
  public func getSosSettings(
    _ request: Trackme_Sos_V1_GetSosSettingsRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_GetSosSettingsResponse {
    let record = try await settings(of: try context.account())
    return .init(
      settings: .init(record), etag: "\(record.version)", dispatchStatus: .init(roster.status))
  }

  /// The settings of a caller.
  /// - Throws: FAILED_PRECONDITION with reason NO_ACCOUNT where an operator made a token for a person without one.
  func settings(of person: PersonID) async throws -> SosRecord {
    guard let record = try await store.settings(of: person) else { throw RPCStatus.noAccount }
    return record
  }
}
