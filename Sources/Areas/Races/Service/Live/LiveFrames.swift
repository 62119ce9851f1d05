internal import Domain
internal import RacesRules
internal import RPCRuntime
internal import ServiceKit
internal import WireCodec

// Leaderboards and frames on the wire: of a runner the place on the course and nothing else.

extension Trackme_Races_V1_LeaderboardRow {
  /// - Parameter time: of the leaderboard.
  init(_ row: BoardRow, at time: Microseconds) {
    self.init(
      rank: UInt32(row.rank), firstRank: UInt32(row.firstRank), lastRank: UInt32(row.lastRank),
      number: UInt32(row.number), name: row.name, status: .init(rawValue: row.status.rawValue),
      distanceM: row.distance, uncertaintyM: row.uncertainty, hasMarker: row.hasMarker, markerM: row.marker,
      isGrey: row.isGrey, fixAgeMs: row.fixAge(at: time),
      splits: row.splits.map { .init(point: UInt32($0.point), timeMs: $0.time / 1_000) },
      finishTimeMs: row.finishTime.map { $0 / 1_000 }, isCorrected: row.isCorrected)
  }
}

extension BoardRow {
  /// In milliseconds; -1 without a position.
  func fixAge(at time: Microseconds) -> Int64 { fixTime.map { max(0, time - $0) / 1_000 } ?? -1 }
}

extension Trackme_Races_V1_Leaderboard {
  init(_ rows: [BoardRow], state: RaceState, at cursor: BoardCursor, _ seal: Seal) {
    self.init(rows, state: state, at: cursor, text: cursor.text(seal))
  }

  /// - Parameter text: of the cursor.
  init(_ rows: [BoardRow], state: RaceState, at cursor: BoardCursor, text: String) {
    self.init(
      raceID: cursor.race, cursor: text, time: .init(cursor.time),
      state: .init(rawValue: Int32(state.rawValue)), rows: rows.map { .init($0, at: cursor.time) })
  }
}

extension RaceBoard {
  /// The leaderboard at a time: empty until the deadline, and of a race that was cancelled before it.
  func shown(at time: Microseconds) -> (rows: [BoardRow], state: RaceState) {
    let state = schedule.state(at: time)
    switch state {
    case .draft, .enrolmentOpen: return ([], state)
    case .cancelled where schedule.cancelled.map({ $0 < schedule.enrolmentEnds }) ?? false: return ([], state)
    default: return (standing(at: time), state)
    }
  }
}

/// Makes the frames of one tick of a race, each once.
struct LiveFrames {
  /// The first rows are in every delta.
  static let leaders = 10

  private let view: BoardView
  private let race: Trackme_Races_V1_Race
  private let cursor: BoardCursor
  private let cursorText: String
  private var snapshot: RPCMessage?
  private var isSnapshotDue = false
  /// By the tick since which they tell what has changed.
  private var since: [Int: RPCMessage] = [:]
  /// How many were encoded.
  private(set) var encoded = 0

  init(view: BoardView, race: Trackme_Races_V1_Race, cursor: BoardCursor, _ seal: Seal) {
    self.view = view
    self.race = race
    self.cursor = cursor
    cursorText = cursor.text(seal)
  }

  /// How many different ones somebody was to get.
  var due: Int { since.count + (isSnapshotDue ? 1 : 0) }

  /// What a spectator is to get at a tick; nil if there is nothing new for it.
  /// - Parameter heartbeat: ticks without a frame after which one is due.
  mutating func frame(for wish: Spectator.Wish, at tick: Int, heartbeat: Int) -> RPCMessage? {
    switch wish {
    case .nothing: return nil
    case .snapshot:
      isSnapshotDue = true
      return wholeBoard()
    case .since(let base):
      if let known = since[base] { return known }
      let frame: RPCMessage
      if base < view.replaced {
        frame = wholeBoard()
      } else if base < view.newest {
        frame = encode(delta(since: base))
      } else if tick - base >= heartbeat {
        frame = encode(.heartbeat(.init()))
      } else {
        return nil
      }
      since[base] = frame
      return frame
    }
  }

  private mutating func wholeBoard() -> RPCMessage {
    if let snapshot { return snapshot }
    let leaderboard = Trackme_Races_V1_Leaderboard(view.rows, state: view.state, at: cursor, text: cursorText)
    let made = encode(.snapshot(.init(race: race, leaderboard: leaderboard)))
    snapshot = made
    return made
  }

  /// What has changed since a tick, which the view must know.
  private func delta(since tick: Int) -> Trackme_Races_V1_WatchRaceResponse.OneOf_Frame {
    var delta = Trackme_Races_V1_RaceDelta(time: .init(cursor.time), state: .init(rawValue: Int32(view.state.rawValue)))
    for row in view.moved(since: tick) {
      delta.numbers.append(UInt32(row.number))
      delta.markerM.append(row.wholeMarker)
      delta.fixAgeMs.append(UInt32(clamping: row.fixAge(at: cursor.time)))
    }
    delta.leaders = view.rows.prefix(Self.leaders).map { .init($0, at: cursor.time) }
    let changed = view.changed(since: tick)
    if !changed.isEmpty {
      delta.changed = view.rows.lazy.filter { changed.contains($0.number) }.map { .init($0, at: cursor.time) }
    }
    return .delta(delta)
  }

  private mutating func encode(_ frame: Trackme_Races_V1_WatchRaceResponse.OneOf_Frame) -> RPCMessage {
    encoded += 1
    return Trackme_Races_V1_WatchRaceResponse(cursor: cursorText, frame: frame).encodedMessage()
  }
}
