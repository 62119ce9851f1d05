internal import Domain
internal import Log
internal import RacesRules
internal import RPCRuntime
internal import ServiceKit
internal import WireCodec

/// Leaderboards of the past: the log is gone through again, up to a position, a page at a time. The same prefix of the
/// log and the same time give the same leaderboard, whenever and on whichever server.
final class RaceReplays: Sendable {
  /// Replays that wait for their turn.
  private static let maxWaiting = 64

  private let storage: StorageSystem
  private let hub: DeliveryHub
  private let seal: Seal
  /// Each goes through all the fixes of a race.
  let turns = FairTurns(places: 2, perAsker: 1, waiting: maxWaiting)

  init(storage: StorageSystem, hub: DeliveryHub) {
    self.storage = storage
    self.hub = hub
    seal = storage.seal
  }

  /// The leaderboard of a cursor: what was shown then.
  /// - Throws: RESOURCE_EXHAUSTED; `PostgresError`.
  func leaderboard(of edition: RaceEdition, at cursor: BoardCursor) async throws -> Trackme_Races_V1_Leaderboard {
    var schedule = edition.plannedSchedule
    // A race that has begun is not postponed: another start is of a moment before it, when nobody had run. Before an
    // organiser changed the dates enrolment was open, as it is by the new ones.
    if cursor.starts != schedule.starts, cursor.time < cursor.starts,
      try await !storage.decisions.changes(of: edition.record.id).contains(where: {
        $0.change.kind == .planChanged && $0.position > cursor.position
      })
    {
      schedule = schedule.moved(to: cursor.starts)
    }
    let shown = try await fold(edition, schedule, through: cursor.position, until: cursor.time)
      .shown(at: cursor.time)
    let starts = schedule.starts
    return Trackme_Races_V1_Leaderboard(
      shown.rows, state: shown.state,
      at: BoardCursor(race: cursor.race, position: cursor.position, time: cursor.time, starts: starts), seal)
  }

  /// The leaderboard of a time, by all that is known now.
  /// - Throws: as `leaderboard(of:at:)`.
  func leaderboard(of edition: RaceEdition, at time: Microseconds) async throws -> Trackme_Races_V1_Leaderboard {
    let cursor = BoardCursor(
      race: edition.record.id, position: hub.head, time: time, starts: edition.record.schedule.starts)
    return try await leaderboard(of: edition, at: cursor)
  }

  /// A board of what the log holds up to a position.
  /// - Parameter time: later fixes are left out.
  private func fold(
    _ edition: RaceEdition, _ schedule: RaceSchedule, through head: LogPosition, until time: Microseconds
  ) async throws -> RaceBoard {
    try await turns.run(orThrow: .tooManyReplays) {
      // Not on the loop of the call: it is work for a processor.
      try await withTaskExecutorPreference(globalConcurrentExecutor) {
        var board = edition.board(schedule)
        var reader = CatchUpReader(pool: storage.pools.heavy, filter: edition.filter(schedule, until: time + 1))
        var position: LogPosition = 0
        while position < head {
          try Task.checkCancellation()
          // Copied in and out, because a closure that is sent away can't change it.
          let (page, next) = try await storage.questions.run { [reader, position] in
            var reader = reader
            return (try await reader.page(after: position, through: head), reader)
          }
          reader = next
          for row in page.rows { board.fold(row.columns.positions, row.entry?.raceChange, at: row.position) }
          position = page.reached
        }
        board.advance(to: head)
        return board
      }
    }
  }
}

extension RaceSchedule {
  /// The same dates around another start.
  fileprivate func moved(to start: Microseconds) -> RaceSchedule {
    var moved = self
    moved.enrolmentEnds += start - starts
    moved.starts = start
    return moved
  }
}

extension RPCStatus {
  static let tooManyReplays = failure(
    .resourceExhausted, reason: "TOO_BUSY", message: "too many leaderboards of the past are being made; try again")
}
