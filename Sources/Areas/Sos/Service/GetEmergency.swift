internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension SosService {
  /// Out of memory while it is open, so that it is shown while the database is away.
  /// - Throws: as `emergency(_:of:)`.
  public func getEmergency(
    _ request: Trackme_Sos_V1_GetEmergencyRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_GetEmergencyResponse {
    let person = try context.account()
    return .init(emergency: await wire(try await emergency(request.emergencyID, of: person)))
  }

  /// An emergency of a person as it stands: of the desk, which may be ahead of the database, or out of that.
  /// - Throws: INVALID_ARGUMENT for what is no UUID, NOT_FOUND for an emergency of others as for one that is not there.
  func emergency(_ text: String, of person: PersonID) async throws -> Emergency {
    guard let id = EmergencyID(text) else {
      throw RPCStatus.invalidArgument(field: "emergency_id", problem: "must be a UUID")
    }
    if let emergency = desk?.emergency(id), emergency.person == person { return emergency }
    guard let emergency = try await archive.find(id, of: person) else { throw RPCStatus.noEmergency }
    return emergency
  }

  func wire(_ emergency: Emergency) async -> Trackme_Sos_V1_Emergency {
    .init(emergency, await EmergencyNames(of: [emergency], metrics: metrics, sources: sources))
  }
}

extension RPCStatus {
  static let noEmergency = failure(
    .notFound, reason: "NO_EMERGENCY", message: "there is no such emergency of yours")
}
