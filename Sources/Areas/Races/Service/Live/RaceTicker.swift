internal import DequeModule
internal import Domain
internal import RPCRuntime
internal import ServiceKit
internal import Synchronization

/// Gives the spectators of one race what is new: at each tick those of one phase, and each frame is encoded once.
///
/// The task that ticks has what it has shown to itself. Under the lock is what calls of others read and write; nothing
/// is called while it is held.
final class RaceTicker: Sendable {
  /// What the task that ticks has shown so far.
  private struct Shown {
    var tick = 0
    var view = BoardView()
    /// `LiveBoard.Moment.version` of the newest frames.
    var version = 0
  }

  private struct State {
    /// The newest ticks with frames.
    var ticks: Deque<(tick: Int, position: LogPosition, time: Microseconds)> = []
    /// Ticks without a frame after which a heartbeat is due.
    var heartbeat = Int.max
    var isOver = false
  }

  /// As many ticks are known exactly, for streams that resume.
  private static let knownTicks = 600

  private let board: LiveBoard
  private let audience: Audience
  private let pause: Duration
  private let seal: Seal
  private let count: LiveCount
  private let meter: LiveMeter
  private let state = Mutex(State())

  init(_ board: LiveBoard, _ audience: Audience, _ parts: LiveRace.Parts) {
    self.board = board
    self.audience = audience
    pause = parts.tick
    seal = parts.seal
    count = parts.count
    meter = parts.meter
  }

  /// Takes a spectator in, until `audience.leave`.
  /// - Parameter cursor: of the newest frame that it has.
  /// - Throws: RESOURCE_EXHAUSTED.
  func join(after cursor: BoardCursor?) throws -> Spectator {
    try audience.join(having: cursor.flatMap { tick(of: $0) })
  }

  /// The tick of a cursor; nil if it is not known, or the race has another start by now.
  private func tick(of cursor: BoardCursor) -> Int? {
    guard board.starts == cursor.starts else { return nil }
    return state.withLock { state in
      state.ticks.last { $0.position == cursor.position && $0.time == cursor.time }?.tick
    }
  }

  /// Ends the streams when each has the final state.
  func finish() { state.withLock { $0.isOver = true } }

  /// A heartbeat is due on streams that have had nothing for so long.
  func beat(after silence: Duration) {
    state.withLock { $0.heartbeat = max(1, Int(silence / pause)) }
  }

  /// Ticks until the task is cancelled. To be called once.
  func run() async {
    var shown = Shown()
    var next = ContinuousClock.now
    while !Task.isCancelled {
      next = max(next + pause, .now)
      guard (try? await Task.sleep(until: next, tolerance: .zero)) != nil else { return }
      let began = ContinuousClock.now
      let isServed = tick(&shown)
      meter.ticked(in: isServed ? .now - began : nil)
    }
  }

  /// Gives the spectators whose turn it is what is new for them.
  /// - Returns: whether there was somebody.
  private func tick(_ shown: inout Shown) -> Bool {
    shown.tick += 1
    let tick = shown.tick
    let wishes = audience.wishes(at: tick)
    if wishes.isEmpty { return false }
    // Before the board is looked at: what a stream ends with is not older than the end.
    let (heartbeat, isOver) = state.withLock { ($0.heartbeat, $0.isOver) }
    guard let moment = board.moment() else { return false }
    shown.view.update(moment.rows, state: moment.state, at: tick, isReplaced: moment.version != shown.version)
    shown.version = moment.version

    var frames = LiveFrames(view: shown.view, race: moment.race, cursor: moment.cursor, seal)
    let given = wishes.map { ($0.spectator, frames.frame(for: $0.wish, at: tick, heartbeat: heartbeat)) }
    count.add(encoded: frames.encoded, due: frames.due)
    // Before anybody has a frame: whoever comes back with its cursor is to find it.
    if frames.encoded > 0 { note(tick, moment.cursor) }
    for (spectator, frame) in given {
      if let frame { spectator.give(frame, of: tick) }
      if isOver { spectator.end(nil) }
    }
    audience.settle(given.map(\.0))
    count.add(sent: given.count { $0.1 != nil })
    return true
  }

  private func note(_ tick: Int, _ cursor: BoardCursor) {
    state.withLock { state in
      state.ticks.append((tick, cursor.position, cursor.time))
      if state.ticks.count > Self.knownTicks { state.ticks.removeFirst() }
    }
  }
}
