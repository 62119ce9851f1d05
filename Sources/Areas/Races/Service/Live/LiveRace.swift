internal import Domain
internal import Log
internal import RacesRules
internal import RPCRuntime
internal import ServiceKit

/// One race with its board and its spectators. What happens goes one way: the follower takes it from the log to the
/// board, and the ticker from the board to the audience. Questions are put to the board.
final class LiveRace: Sendable {
  /// What every live race needs.
  struct Parts: Sendable {
    let storage: StorageSystem
    let hub: DeliveryHub
    let seal: Seal
    let clock: @Sendable () -> Microseconds
    /// A round of ticks is a second.
    let tick: Duration
    let count: LiveCount
    let meter: LiveMeter
  }

  let id: RaceID
  let follower: RaceFollower
  let board: LiveBoard
  let ticker: RaceTicker
  let audience = Audience()

  init(_ id: RaceID, _ parts: Parts) {
    self.id = id
    board = LiveBoard(id, parts)
    follower = RaceFollower(id, board, parts)
    ticker = RaceTicker(board, audience, parts)
  }

  /// Follows the race and serves its spectators, until `follower.stop()`, the end of the race in the database or the
  /// cancellation of the task. To be called once.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        let isGone = await Asker.$current.withValue(.topic(.race(self.id))) { await self.follower.run() }
        if isGone { self.audience.end(.noRace) }
      }
      group.addTask { await self.ticker.run() }
      await group.next()
      group.cancelAll()
    }
  }
}
