internal import Domain
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension RaceService {
  /// Ends a race before its time limit.
  /// - Throws: as `change`.
  public func finishRace(
    _ request: Trackme_Races_V1_FinishRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_FinishRaceResponse {
    let person = try context.account()
    try await end(request.raceID, by: person, .raceFinished, as: .finish)
    return .init(race: try await wire(request.raceID, for: person))
  }
}
