internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension LiveService {
  /// The final leaderboard with every decision about it, and who made it. Made once for all who ask.
  /// - Throws: NOT_FOUND with reason NO_RACE; FAILED_PRECONDITION with reason RACE_STATE unless the race is finished;
  ///   RESOURCE_EXHAUSTED with reason TOO_BUSY.
  public func getResults(
    _ request: Trackme_Races_V1_GetResultsRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_GetResultsResponse {
    let person = try context.account()
    let record = try await access.visible(request.raceID, to: person).race
    try record.check(.readResults, at: clock())
    let known = try await results.results(of: record, at: clock())
    let changes = try await storage.races.resultChanges(of: record.id).flatMap { change in
      change.change.persons.compactMap { person -> Trackme_Races_V1_ResultChange? in
        guard let kind = Trackme_Races_V1_ResultChangeKind(change.change.kind), let number = known.numbers[person]
        else {
          return nil
        }
        return .init(
          number: number, kind: kind,
          finishTime: change.change.kind == .finishTime ? .init(microseconds: change.change.finishTime) : nil,
          reason: change.reason,
          author: .init(username: change.author?.username ?? "", name: change.author?.name ?? ""),
          time: .init(change.change.time))
      }
    }
    return .init(leaderboard: known.leaderboard, changes: changes)
  }
}

extension Trackme_Races_V1_ResultChangeKind {
  /// Nil for what is no change of a result.
  init?(_ kind: RaceChange.Kind) {
    switch kind {
    case .disqualified: self = .disqualified
    case .reinstated: self = .reinstated
    case .finishTime: self = .finishTime
    case .didNotFinish: self = .didNotFinish
    case .asMeasured: self = .asMeasured
    case .present, .absent, .retired, .withdrawn, .raceFinished, .raceCancelled, .planChanged: return nil
    }
  }
}
