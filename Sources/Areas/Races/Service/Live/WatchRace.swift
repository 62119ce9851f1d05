internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension LiveService {
  /// The first frame comes when the server has gone through the race's part of the log, which takes a moment after a
  /// restart. Ten minutes after the race is over, or was cancelled, the stream ends with OK; of a race that has been over
  /// for longer it holds the final snapshot alone.
  public func watchRace(
    _ request: Trackme_Races_V1_WatchRaceRequest,
    responses: ResponseWriter<Trackme_Races_V1_WatchRaceResponse>, context: CallContext
  ) async throws {
    let place = try await inChildTask { [self] in try await joined(request, responses, context) }
    guard let (race, spectator) = place else { return }
    defer { race.audience.leave(spectator) }
    while true {
      switch await spectator.next() {
      case .frame(let frame): try await responses.sendEncoded(frame)
      case .end(nil): return
      case .end(let status?): throw status
      case .cancelled: throw CancellationError()
      }
    }
  }

  /// Takes a spectator in, or sends the final snapshot of a race that has been over for long.
  /// - Returns: nil after the snapshot.
  private func joined(
    _ request: Trackme_Races_V1_WatchRaceRequest,
    _ responses: ResponseWriter<Trackme_Races_V1_WatchRaceResponse>, _ context: CallContext
  ) async throws -> (race: LiveRace, spectator: Spectator)? {
    let person = try context.account()
    let record = try await access.visible(request.raceID, to: person).race
    let cursor = try cursor(request.cursor, of: record.id)
    let now = clock()
    try record.check(.follow, at: now)
    let over = min(record.schedule.ends, record.schedule.cancelled ?? .max)
    guard now >= over + LiveRaces.linger else { return try races.join(record.id, after: cursor) }
    let edition = try await edition(record)
    let leaderboard = try await replays.leaderboard(of: edition, at: now)
    var race = Trackme_Races_V1_Race(shown: edition, at: now)
    race.state = leaderboard.state
    try await responses.send(
      .init(cursor: leaderboard.cursor, frame: .snapshot(.init(race: race, leaderboard: leaderboard))))
    return nil
  }
}
