internal import Domain
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension RaceService {
  /// - Throws: NOT_FOUND with reason NO_RACE, also for a race that the caller may not know of.
  public func getRace(
    _ request: Trackme_Races_V1_GetRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_GetRaceResponse {
    let person = try context.account()
    let race = try await access.visible(request.raceID, to: person, invitation: request.invitation).race
    return .init(race: try await wire(race, for: person))
  }
}
