internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// Organisers may remove themselves. Who is none is no error.
  /// - Throws: as `RaceAccess.organized`; FAILED_PRECONDITION with reason LAST_ORGANIZER or RACE_STATE.
  public func removeOrganizer(
    _ request: Trackme_Races_V1_RemoveOrganizerRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_RemoveOrganizerResponse {
    let person = try context.account()
    let race = try await access.organized(request.raceID, by: person)
    try Self.checkUsername(request.username)
    try race.check(.changeOrganizers, at: clock())
    if case .last = try await store.removeOrganizer(request.username, from: race.id) {
      throw RPCStatus.failure(
        .failedPrecondition, reason: "LAST_ORGANIZER", message: "a race keeps at least one organiser")
    }
    return .init(race: try await wire(race.id, for: person))
  }
}
