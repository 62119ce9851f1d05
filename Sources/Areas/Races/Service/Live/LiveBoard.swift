internal import Domain
internal import RacesRules
internal import ServiceKit
internal import Synchronization
internal import WireCodec

/// The board of one race as it stands, for all who ask. The follower alone writes it; ticks and questions read it.
///
/// Everything is under one lock. It is held while a leaderboard is made of the board, which takes some milliseconds, and
/// never while a message is encoded; of what is called under it nothing comes back here.
final class LiveBoard: Sendable {
  /// What spectators see at one instant.
  struct Moment {
    /// The leaderboard in its order.
    let rows: [BoardRow]
    let state: RaceState
    let race: Trackme_Races_V1_Race
    /// Another one means that spectators must be told of the race anew; the first is 1.
    let version: Int
    let cursor: BoardCursor
  }

  private struct State {
    /// What the board is made of; nil until it has been read, and the log has been gone through.
    var edition: RaceEdition?
    var board: RaceBoard?
    /// For spectators, with its state as it was last shown.
    var race = Trackme_Races_V1_Race()
    /// Of `race` and the runners.
    var version = 0
    /// Of the newest leaderboard; it never goes back.
    var time: Microseconds = 0
    /// The newest answer of `leaderboard()`.
    var answer: Trackme_Races_V1_Leaderboard?
  }

  private let id: RaceID
  private let seal: Seal
  private let clock: @Sendable () -> Microseconds
  private let state = Mutex(State())

  init(_ id: RaceID, _ parts: LiveRace.Parts) {
    self.id = id
    seal = parts.seal
    clock = parts.clock
  }

  // MARK: The follower writes

  /// A new board, which knows the log as far as the old one does.
  func begin(_ edition: RaceEdition, _ board: RaceBoard) {
    let race = Trackme_Races_V1_Race(shown: edition, at: clock())
    state.withLock { state in
      state.edition = edition
      state.board = board
      state.race = race
      state.version += 1
      state.answer = nil
    }
  }

  /// The same race with, perhaps, another text.
  func replace(_ edition: RaceEdition) {
    let race = Trackme_Races_V1_Race(shown: edition, at: clock())
    state.withLock { state in
      state.edition = edition
      if edition.isClosed || race == state.race { return }
      state.race = race
      state.version += 1
    }
  }

  /// Takes what has one position in the log.
  func fold(_ fixes: PositionColumns, _ change: RaceChange?, at position: LogPosition) {
    state.withLock { $0.board?.fold(fixes, change, at: position) }
  }

  /// Nothing else up to a position of the log concerns the race.
  func advance(to position: LogPosition) { state.withLock { $0.board?.advance(to: position) } }

  // MARK: Ticks read

  /// What spectators see now; nil as long as there is no board.
  func moment() -> Moment? {
    state.withLock { state in
      guard let (board, cursor) = look(&state) else { return nil }
      let (rows, raceState) = board.shown(at: state.time)
      state.race.state = .init(rawValue: Int32(raceState.rawValue))
      return Moment(rows: rows, state: raceState, race: state.race, version: state.version, cursor: cursor)
    }
  }

  /// The start that the race has; nil as long as there is no board.
  var starts: Microseconds? { state.withLock { $0.board?.schedule.starts } }

  // MARK: Questions

  /// The leaderboard now; nil as long as there is no board. It takes some milliseconds.
  func leaderboard() -> Trackme_Races_V1_Leaderboard? {
    state.withLock { state in
      guard let (board, cursor) = look(&state) else { return nil }
      let text = cursor.text(seal)
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
        let row = board.shown(at: max(state.time, clock())).rows.first(where: { $0.person == person }),
        row.fixTime != nil
      else { return nil }
      return RunnerPlace(distance: row.marker, nearest: edition.course.nearestPlace(to: row.marker).place.name)
    }
  }

  /// Whether enrolment has ended since the board was made.
  func isClosing(at now: Microseconds) -> Bool {
    state.withLock { state in
      guard let edition = state.edition, !edition.isClosed else { return false }
      return edition.record.schedule.isOpened && now >= edition.record.schedule.enrolmentEnds
    }
  }

  /// The board with the moment that it is now; nil as long as there is no board.
  private func look(_ state: inout State) -> (board: RaceBoard, cursor: BoardCursor)? {
    guard let board = state.board else { return nil }
    state.time = max(state.time, clock())
    let cursor = BoardCursor(race: id, position: board.position, time: state.time, starts: board.schedule.starts)
    return (board, cursor)
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
