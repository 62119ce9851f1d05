internal import Domain
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension RaceService {
  /// Once more changes nothing.
  /// - Throws: NOT_FOUND with reason NO_RACE.
  public func stopObserving(
    _ request: Trackme_Races_V1_StopObservingRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_StopObservingResponse {
    let person = try context.account()
    let race = try await access.visible(request.raceID, to: person).race
    try await store.stopObserving(race.id, by: person)
    return .init()
  }
}
