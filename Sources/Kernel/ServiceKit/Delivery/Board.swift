internal import Domain
internal import Synchronization

/// Every open stream by its signal: whoever changes something wakes those that follow its topic, and all hear of
/// heartbeats and of the server's end.
///
/// A stream joins before it looks for the first time: what changes between the two is then kept in its signal. A feed
/// wakes its own streams, for each row of the log; its streams are here as well, without a topic.
package final class Board<Topic: Hashable & Sendable>: StreamRegister {
  private struct State {
    var open: [ObjectIdentifier: (signal: StreamSignal, topics: [Topic])] = [:]
    var followers = Members<Topic, StreamSignal>()
    var isDraining = false
  }

  private let state = Mutex(State())

  package init() {}

  /// How many streams there are.
  package var count: Int { state.withLock(\.open.count) }

  /// The topics that are followed.
  package var topics: [Topic] { state.withLock(\.followers.topics) }

  /// A stream hears of heartbeats, of the server's end, and of each change of its topics from now on, until `leave`. If
  /// the server is ending, it hears of that at once.
  /// - Parameter signal: not on the board yet.
  package func join(_ signal: StreamSignal, on topics: Topic...) {
    let isDraining = state.withLock { state in
      assert(state.open[ObjectIdentifier(signal)] == nil, "a stream joins once, with all of its topics")
      state.open[ObjectIdentifier(signal)] = (signal, topics)
      for topic in topics { state.followers.add(signal, to: topic) }
      return state.isDraining
    }
    if isDraining { signal.signal(.drain) }
  }

  package func leave(_ signal: StreamSignal) {
    state.withLock { state in
      guard let (_, topics) = state.open.removeValue(forKey: ObjectIdentifier(signal)) else { return }
      for topic in topics { state.followers.remove(signal, from: topic) }
    }
  }

  /// Wakes the streams that follow any of the topics. Never blocks.
  package func wake(_ topics: [Topic]) {
    let signals = state.withLock { state in topics.flatMap { state.followers[$0] ?? [] } }
    for signal in signals { signal.signal(.data) }
  }

  package func beat(ifWaitingSince instant: ContinuousClock.Instant) {
    let signals = state.withLock { $0.open.values.map(\.signal) }
    for signal in signals { signal.beat(ifWaitingSince: instant) }
  }

  package func drain() {
    let signals = state.withLock { state in
      state.isDraining = true
      return state.open.values.map(\.signal)
    }
    for signal in signals { signal.signal(.drain) }
  }
}

/// Streams that are open, as the server's clock and its end reach them.
package protocol StreamRegister: Sendable {
  /// Sends a heartbeat on every stream that has been silent since the instant.
  func beat(ifWaitingSince instant: ContinuousClock.Instant)
  /// Ends every stream, and those that will come, with a status that says that the server is ending.
  func drain()
}
