internal import Domain
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// The newest correction of a runner counts. A repeat of it, and taking back what was never corrected, make no entry.
  /// - Throws: as `decide`; INVALID_ARGUMENT for a time that is not positive, or beyond the time limit of the race.
  public func correctResult(
    _ request: Trackme_Races_V1_CorrectResultRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_CorrectResultResponse {
    let person = try context.account()
    try Self.checkReason(request.reason)
    let (kind, finishTime) = try Self.correction(request.result)
    try await decide(
      about: request.number, in: request.raceID, by: person, as: .correctResult, reason: request.reason
    ) { race, marks in
      guard finishTime <= race.schedule.timeLimit else {
        throw RPCStatus.invalidArgument(field: "finish_time", problem: "must be at most the time limit of the race")
      }
      let newest = try await store.correction(of: marks.person, in: race.id)
      // What counts anyway is no correction, and a repeat is none.
      if newest == nil, kind == .asMeasured { return nil }
      if let newest, newest == (kind, finishTime, request.reason) { return nil }
      return (kind, finishTime)
    }
    return .init()
  }

  private static func correction(
    _ result: Trackme_Races_V1_CorrectResultRequest.OneOf_Result?
  ) throws -> (RaceChange.Kind, Microseconds) {
    switch result {
    case .finishTime(let wire):
      guard let time = wire.microseconds, time > 0 else {
        throw RPCStatus.invalidArgument(field: "finish_time", problem: "must be positive")
      }
      return (.finishTime, time)
    case .didNotFinish(true): return (.didNotFinish, 0)
    case .asMeasured(true): return (.asMeasured, 0)
    case .didNotFinish(false):
      throw RPCStatus.invalidArgument(field: "did_not_finish", problem: "must be true if it is given")
    case .asMeasured(false):
      throw RPCStatus.invalidArgument(field: "as_measured", problem: "must be true if it is given")
    case nil:
      throw RPCStatus.invalidArgument(
        field: "finish_time", problem: "or did_not_finish or as_measured must be given")
    }
  }
}
