internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// Moves every date, by as much as the start; all who have to do with the race are told.
  /// - Throws: as `change`; INVALID_ARGUMENT for a start that is not later; RESOURCE_EXHAUSTED with reason
  ///   RACE_CHANGED_OFTEN.
  public func postponeRace(
    _ request: Trackme_Races_V1_PostponeRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_PostponeRaceResponse {
    let person = try context.account()
    guard let starts = try request.starts?.microseconds(field: "starts") else {
      throw RPCStatus.invalidArgument(field: "starts", problem: "must be given")
    }
    var isDone = false
    try await change(request.raceID, by: person, .postpone) { race, now in
      // Of two organisers who do the same, one is told that it was done.
      if isDone { return true }
      guard starts > max(now, race.schedule.starts) else {
        throw RPCStatus.invalidArgument(
          field: "starts", problem: "must be later than the start that is set, and than now")
      }
      isDone = try await store.postpone(race, to: starts, at: now)
      if !isDone, try await store.isChangedOften(race.id) { throw RPCStatus.raceChangedOften }
      return isDone
    }
    board.nudge()
    return .init(race: try await wire(request.raceID, for: person))
  }
}
