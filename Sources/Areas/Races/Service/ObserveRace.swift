internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension RaceService {
  /// Whoever observes already goes on, whatever the state of the race.
  /// - Throws: NOT_FOUND with reason NO_RACE; FAILED_PRECONDITION with reason RACE_STATE.
  public func observeRace(
    _ request: Trackme_Races_V1_ObserveRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_ObserveRaceResponse {
    let person = try context.account()
    let (race, roles) = try await access.visible(request.raceID, to: person, invitation: request.invitation)
    if roles.isObserver { return .init() }
    try race.check(.observe, at: clock())
    guard try await store.observe(race.id, by: person) else { throw RPCStatus.noAccount }
    return .init()
  }
}
