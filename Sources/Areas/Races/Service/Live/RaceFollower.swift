internal import Domain
internal import Postgres
internal import RacesRules
internal import ServiceKit
internal import Synchronization
internal import Threads

/// Keeps the board of one race in step with the log, and with what the database says of the race.
///
/// One task follows and writes the board; others wake it. What both touch, the signal, the stamp and the board, has each
/// a lock of its own, and none is taken under another.
final class RaceFollower: Sendable {
  private let id: RaceID
  private let board: LiveBoard
  private let parts: LiveRace.Parts
  /// Wakes the task that follows.
  private let signal = StreamSignal()
  /// What the database said of the race the last time.
  private let stamp = Mutex<String?>(nil)
  /// How far it has come in what it follows; nil before it has begun.
  private let progress = Mutex<(feed: Feed, position: LogPosition)?>(nil)

  init(_ id: RaceID, _ board: LiveBoard, _ parts: LiveRace.Parts) {
    self.id = id
    self.board = board
    self.parts = parts
  }

  /// What the database says of the race now; another stamp means that something has changed.
  func see(_ stamp: String, at now: Microseconds) {
    let isNews = self.stamp.withLock { known in
      defer { known = stamp }
      return known != stamp
    }
    if isNews || board.isClosing(at: now) { signal.signal(.changed) }
  }

  /// Up to where it has the log, if there is more for it; nil: there is not.
  var behind: LogPosition? {
    progress.withLock { $0 }.flatMap { $0.feed.hasMore(after: $0.position) ? $0.position : nil }
  }

  /// Ends `run()`.
  func stop() { signal.signal(.drain) }

  /// Follows the race until `stop()` or the cancellation of the task. While the database is away the board stays as it
  /// is.
  /// - Returns: whether it ended because the race or its course is gone, or an administrator has disabled it.
  func run() async -> Bool {
    var backOff = BackOff(initial: .milliseconds(100), max: .seconds(2), jitter: 0)
    while !Task.isCancelled {
      do {
        var edition = try await load()
        while let current = edition { edition = try await follow(current) }
        return true
      } catch is CancellationError {
        return false
      } catch {
        guard (try? await Task.sleep(for: backOff.next())) != nil else { return false }
      }
    }
    return false
  }

  private func load() async throws -> RaceEdition? {
    try await RaceEdition.load(id, from: parts.storage, at: parts.clock())
  }

  /// Follows the log as long as the race stays as it is.
  /// - Returns: what it has become; nil if it is gone.
  /// - Throws: `PostgresError`; `CancellationError`, also after `stop()`.
  private func follow(_ edition: RaceEdition) async throws -> RaceEdition? {
    let schedule = edition.plannedSchedule
    // The new board takes the place of the old one when it knows as much.
    var rebuilt: RaceBoard? = edition.board(schedule)
    // Before the deadline nothing is in the log. The signal is the race's own for as long as the follower lives.
    var log = Follower(
      hub: parts.hub, pool: parts.storage.pools.heavy, filter: edition.filter(schedule),
      after: edition.isClosed ? 0 : nil,
      signal: signal)
    while true {
      progress.withLock { $0 = (log.feed, log.position) }
      let step = try await log.next()
      progress.withLock { $0 = (log.feed, log.position) }
      switch step {
      case .live(let slice):
        for row in slice.rows { fold(row.columns.positions, row.entry?.raceChange, at: row.position, &rebuilt) }
        continue
      case .stored(let rows):
        for row in rows { fold(row.columns.positions, row.entry?.raceChange, at: row.position, &rebuilt) }
        continue
      case .upToDate:
        if let whole = rebuilt { board.begin(edition, whole) }
        rebuilt = nil
        board.advance(to: log.position)
      }
      let reasons = await signal.wait()
      if reasons.contains(.cancelled) || reasons.contains(.drain) { throw CancellationError() }
      if reasons.contains(.changed) {
        guard let next = try await load() else { return nil }
        if !next.hasSameBoard(as: edition) { return next }
        board.replace(next)
      }
    }
  }

  /// Into the board that is being rebuilt; without one into the one that is shown.
  private func fold(
    _ fixes: PositionColumns, _ change: RaceChange?, at position: LogPosition, _ rebuilt: inout RaceBoard?
  ) {
    if rebuilt != nil {
      rebuilt?.fold(fixes, change, at: position)
    } else {
      board.fold(fixes, change, at: position)
    }
  }
}

extension StreamSignal.Reasons {
  /// What the stream is about has changed in the database.
  static let changed = Self(rawValue: 32)
}
