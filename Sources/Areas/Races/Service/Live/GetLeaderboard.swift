internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension LiveService {
  /// Now from the board in memory, if the race is followed; else, and of the past, the log is gone through again, which
  /// takes turns.
  /// - Throws: NOT_FOUND with reason NO_RACE; FAILED_PRECONDITION with reason RACE_STATE; INVALID_ARGUMENT for a cursor
  ///   of another race or server, or a time to come; RESOURCE_EXHAUSTED with reason TOO_BUSY.
  public func getLeaderboard(
    _ request: Trackme_Races_V1_GetLeaderboardRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_GetLeaderboardResponse {
    let person = try context.account()
    let record = try await access.visible(request.raceID, to: person).race
    try record.check(.follow, at: clock())
    switch request.moment {
    case nil:
      if let race = races.race(record.id) {
        let leaderboard = await withTaskExecutorPreference(globalConcurrentExecutor) { race.board.leaderboard() }
        if let leaderboard { return .init(leaderboard: leaderboard) }
      }
      return .init(leaderboard: try await replays.leaderboard(of: edition(record), at: clock()))
    case .cursor(let text):
      guard let cursor = try cursor(text, of: record.id) else {
        throw RPCStatus.invalidArgument(field: "cursor", problem: "must be given")
      }
      return .init(leaderboard: try await replays.leaderboard(of: edition(record), at: cursor))
    case .time(let time):
      let time = try time.microseconds(field: "time")
      guard time <= clock() else { throw RPCStatus.invalidArgument(field: "time", problem: "must not be after now") }
      return .init(leaderboard: try await replays.leaderboard(of: edition(record), at: time))
    }
  }
}
