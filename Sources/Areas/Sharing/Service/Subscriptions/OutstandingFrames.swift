internal import DequeModule
internal import Domain
internal import Synchronization

/// The frames of one stream that the client has not acknowledged, if it set a limit on them.
final class OutstandingFrames: Sendable {
  private struct State {
    var sent: Deque<LogPosition> = []
    var newest: LogPosition
  }

  /// The most frames that may be outstanding; nil means no limit, then nothing is kept.
  private let limit: Int?
  private let state: Mutex<State>

  /// - Parameter start: the position after which the stream begins.
  init(limit: Int?, start: LogPosition) {
    self.limit = limit
    state = Mutex(State(newest: start))
  }

  /// Whether another delivery may be sent.
  var hasRoom: Bool { limit.map { limit in state.withLock { $0.sent.count < limit } } ?? true }

  /// A delivery that ends with the position is being sent.
  func sending(_ position: LogPosition) {
    state.withLock { state in
      state.newest = position
      if limit != nil { state.sent.append(position) }
    }
  }

  /// A heartbeat says that nothing is missing up to the position.
  func beating(_ position: LogPosition) { state.withLock { $0.newest = max($0.newest, position) } }

  /// The client has dealt with everything up to the position. False if that has not been sent.
  func acknowledge(_ position: LogPosition) -> Bool {
    state.withLock { state in
      guard position <= state.newest else { return false }
      while let oldest = state.sent.first, oldest <= position { state.sent.removeFirst() }
      return true
    }
  }
}
