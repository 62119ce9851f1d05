internal import DequeModule
internal import Domain
internal import Postgres
internal import RPCRuntime
internal import Storage
internal import Synchronization
internal import WireCodec

/// One race with its board and its spectators. A task keeps the board in step with the log; another one ticks, and gives
/// the spectators of one phase after the other what is new.
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
  }

  private struct State {
    /// What the board is made of; nil until it has been read, and the log has been gone through.
    var edition: RaceEdition?
    var board: RaceBoard?
    var view = BoardView()
    /// For spectators, without its state.
    var race = Trackme_Races_V1_Race()
    /// Whether spectators must be told of the race anew.
    var isNew = true
    /// Of the newest leaderboard; it never goes back.
    var time: Microseconds = 0
    var tick = 0
    /// The cursors of the newest ticks with frames.
    var ticks: Deque<(tick: Int, position: LogPosition, time: Microseconds)> = []
    /// Ticks without a frame after which a heartbeat is due.
    var heartbeat = Int.max
    /// The newest answer of `leaderboard()`.
    var answer: Trackme_Races_V1_Leaderboard?
    /// What the database said of it the last time.
    var stamp: String?
    var isOver = false
  }

  /// As many ticks are known exactly, for streams that resume.
  private static let knownTicks = 600

  let id: RaceID
  let audience = Audience()
  private let parts: Parts
  private let signal = StreamSignal()
  private let state = Mutex(State())

  init(_ id: RaceID, _ parts: Parts) {
    self.id = id
    self.parts = parts
  }

  // MARK: Following

  /// Follows the race until `stop()` or the cancellation of the task.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await Asker.$current.withValue(.race(self.id)) { await self.followEditions() } }
      group.addTask { await self.keepTicking() }
      await group.next()
      group.cancelAll()
    }
  }

  /// Follows it no more.
  func stop() { signal.signal(.drain) }

  /// What the database says of the race now; another stamp means that something has changed.
  func see(_ stamp: String, at now: Microseconds) {
    let isNews = state.withLock { state in
      let isClosing =
        state.edition.map { !$0.isClosed && $0.record.schedule.isOpened && now >= $0.record.schedule.enrolmentEnds }
        ?? false
      defer { state.stamp = stamp }
      return state.stamp != stamp || isClosing
    }
    if isNews { signal.signal(.changed) }
  }

  private func followEditions() async {
    var pause = Duration.milliseconds(100)
    while !Task.isCancelled {
      do {
        var edition = try await load()
        while let current = edition { edition = try await follow(current) }
        // The race or its course is gone, or an administrator has disabled it.
        return audience.end(.noRace)
      } catch is CancellationError {
        return
      } catch {
        // The database is away; the board stays as it is meanwhile.
        guard (try? await Task.sleep(for: pause)) != nil else { return }
        pause = min(pause * 2, .seconds(2))
      }
    }
  }

  private func load() async throws -> RaceEdition? {
    try await RaceEdition.load(id, from: parts.storage, at: parts.clock())
  }

  /// Follows the log as long as the race stays as it is.
  /// - Returns: what it has become; nil if it is gone.
  /// - Throws: `PostgresError`; `CancellationError`.
  private func follow(_ edition: RaceEdition) async throws -> RaceEdition? {
    let schedule = edition.plannedSchedule
    // The new board takes the place of the old one when it knows as much.
    var rebuilt: RaceBoard? = edition.board(schedule)
    // Before the deadline nothing is in the log. The signal is the race's own for as long as the follower lives.
    var follower = Follower(
      hub: parts.hub, pool: parts.storage.pools.heavy, filter: edition.filter(schedule),
      after: edition.isClosed ? 0 : nil,
      signal: signal)
    while true {
      switch try await follower.next() {
      case .live(let slice):
        for row in slice.rows { fold(row.columns.positions, row.entry?.raceChange, at: row.position, &rebuilt) }
        continue
      case .stored(let rows):
        for row in rows { fold(row.columns.positions, row.entry?.raceChange, at: row.position, &rebuilt) }
        continue
      case .upToDate:
        if let board = rebuilt { begin(edition, board) }
        rebuilt = nil
        state.withLock { $0.board?.advance(to: follower.position) }
      }
      let reasons = await signal.wait()
      if reasons.contains(.cancelled) || reasons.contains(.drain) { throw CancellationError() }
      if reasons.contains(.changed) {
        guard let next = try await load() else { return nil }
        if !next.hasSameBoard(as: edition) { return next }
        replace(next)
      }
    }
  }

  private func fold(
    _ fixes: PositionColumns, _ change: RaceChange?, at position: LogPosition, _ rebuilt: inout RaceBoard?
  ) {
    if rebuilt != nil {
      rebuilt?.fold(fixes, change, at: position)
    } else {
      state.withLock { $0.board?.fold(fixes, change, at: position) }
    }
  }

  private func begin(_ edition: RaceEdition, _ board: RaceBoard) {
    let race = Trackme_Races_V1_Race(shown: edition, at: parts.clock())
    state.withLock { state in
      state.edition = edition
      state.board = board
      state.race = race
      state.isNew = true
      state.answer = nil
    }
  }

  /// The same race with, perhaps, another text.
  private func replace(_ edition: RaceEdition) {
    let race = Trackme_Races_V1_Race(shown: edition, at: parts.clock())
    state.withLock { state in
      state.edition = edition
      if edition.isClosed || race == state.race { return }
      state.race = race
      state.isNew = true
    }
  }

  // MARK: Spectators

  /// Takes a spectator in, until `audience.leave`.
  /// - Parameter cursor: of the newest frame that it has.
  /// - Throws: RESOURCE_EXHAUSTED.
  func join(after cursor: BoardCursor?) throws -> Spectator {
    let tick = cursor.flatMap { cursor in
      state.withLock { state -> Int? in
        guard state.board?.schedule.starts == cursor.starts else { return nil }
        return state.ticks.last { $0.position == cursor.position && $0.time == cursor.time }?.tick
      }
    }
    return try audience.join(having: tick)
  }

  /// Ends the streams when each has the final state.
  func finish() { state.withLock { $0.isOver = true } }

  /// A heartbeat is due on streams that have had nothing for so long.
  func beat(after silence: Duration) {
    state.withLock { $0.heartbeat = max(1, Int(silence / parts.tick)) }
  }

  private func keepTicking() async {
    var next = ContinuousClock.now
    while !Task.isCancelled {
      next = max(next + parts.tick, .now)
      guard (try? await Task.sleep(until: next, tolerance: .zero)) != nil else { return }
      tick()
    }
  }

  /// Gives the spectators whose turn it is what is new for them.
  private func tick() {
    let tick = state.withLock { state in
      state.tick += 1
      return state.tick
    }
    let wishes = audience.wishes(at: tick)
    if wishes.isEmpty { return }
    guard let frames = frames(for: wishes, at: tick) else { return }
    var settled: [Spectator] = []
    var sent = 0
    for (spectator, wish) in wishes {
      let frame: RPCMessage?
      switch wish {
      case .nothing: continue
      case .snapshot: frame = frames.snapshot
      case .since(let base): frame = frames.since[base]
      }
      settled.append(spectator)
      if let frame {
        spectator.give(frame, of: tick)
        sent += 1
      }
      if frames.isLast { spectator.end(nil) }
    }
    audience.settle(settled)
    parts.count.add(sent: sent)
  }

  private struct TickFrames {
    var snapshot: RPCMessage?
    var since: [Int: RPCMessage] = [:]
    var isLast = false
  }

  /// Each frame that somebody wants, encoded once. Nil as long as there is no board.
  private func frames(for wishes: [(spectator: Spectator, wish: Spectator.Wish)], at tick: Int) -> TickFrames? {
    state.withLock { state in
      guard let frames = Self.look(&state, at: tick, parts) else { return nil }
      var made = TickFrames(isLast: state.isOver)
      var encoded = 0
      var due: Set<Int> = []
      for (_, wish) in wishes {
        switch wish {
        case .nothing: break
        case .snapshot: due.insert(-1)
        case .since(let base): due.insert(base)
        }
      }
      func snapshot() -> RPCMessage {
        if let known = made.snapshot { return known }
        encoded += 1
        let snapshot = frames.snapshot()
        made.snapshot = snapshot
        return snapshot
      }
      for base in due {
        if base < 0 {
          _ = snapshot()
        } else if base < state.view.replaced {
          made.since[base] = snapshot()
        } else if base < state.view.newest {
          encoded += 1
          made.since[base] = frames.delta(since: base)
        } else if tick - base >= state.heartbeat {
          encoded += 1
          made.since[base] = frames.heartbeat()
        }
      }
      if encoded > 0 {
        state.ticks.append((tick, frames.cursor.position, frames.cursor.time))
        if state.ticks.count > Self.knownTicks { state.ticks.removeFirst() }
      }
      parts.count.add(encoded: encoded, due: Set(made.since.keys).count + (due.contains(-1) ? 1 : 0))
      return made
    }
  }

  /// Looks at the board and notes what has changed.
  private static func look(_ state: inout State, at tick: Int, _ parts: Parts) -> LiveFrames? {
    guard let board = state.board else { return nil }
    state.time = max(state.time, parts.clock())
    let (rows, raceState) = board.shown(at: state.time)
    state.view.update(rows, state: raceState, at: tick, isReplaced: state.isNew)
    state.isNew = false
    state.race.state = .init(rawValue: Int32(raceState.rawValue))
    let cursor = BoardCursor(
      race: board.race, position: board.position, time: state.time, starts: board.schedule.starts)
    return LiveFrames(view: state.view, race: state.race, cursor: cursor, parts.seal)
  }

  // MARK: Questions

  /// The leaderboard now; nil as long as there is no board. It takes some milliseconds.
  func leaderboard() -> Trackme_Races_V1_Leaderboard? {
    state.withLock { state in
      guard let board = state.board else { return nil }
      state.time = max(state.time, parts.clock())
      let cursor = BoardCursor(race: id, position: board.position, time: state.time, starts: board.schedule.starts)
      let text = cursor.text(parts.seal)
      if let known = state.answer, known.cursor == text { return known }
      let (rows, raceState) = board.shown(at: state.time)
      let answer = Trackme_Races_V1_Leaderboard(rows, state: raceState, at: cursor, text: text)
      state.answer = answer
      return answer
    }
  }

  /// Who is exerting, and the time of the whole race; nil as long as there is no board.
  func exerting(at now: Microseconds) -> (persons: Set<PersonID>, time: Range<Microseconds>)? {
    state.withLock { state in
      guard let board = state.board, state.edition?.isClosed == true else { return nil }
      let starts = board.schedule.starts
      return (Set(board.exerting(at: now)), starts..<starts + board.schedule.timeLimit)
    }
  }

  /// Where a runner was last seen; nil if nobody knows, or no such runner is here.
  func place(of person: PersonID) -> RunnerPlace? {
    state.withLock { state in
      guard let board = state.board, let edition = state.edition,
        let row = board.shown(at: max(state.time, parts.clock())).rows.first(where: { $0.person == person }),
        row.fixTime != nil
      else { return nil }
      return RunnerPlace(distance: row.marker, nearest: edition.course.nearestPlace(to: row.marker).place.name)
    }
  }
}

/// Where a runner is on the course.
struct RunnerPlace: Sendable, Hashable {
  /// Metres from the start.
  let distance: Double
  /// The name of the nearest stage, start or arrival; may be empty.
  let nearest: String
}

extension RaceBoard {
  /// Takes what has one position in the log.
  mutating func fold(_ fixes: PositionColumns, _ change: RaceChange?, at position: LogPosition) {
    if let change { apply(change, at: position) } else { take(fixes, at: position) }
  }
}

extension StreamSignal.Reasons {
  /// What the stream is about has changed in the database.
  static let changed = Self(rawValue: 32)
}
