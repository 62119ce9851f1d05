internal import Domain
public import Storage
internal import Synchronization

/// Wakes streams when an entry of the log concerns them. It hears of every commit in order, after `DeliveryHub`, whose
/// head therefore covers what a stream is woken for; on the writer's thread.
public final class EntryWatch: CommitObserver {
  private struct State {
    var signals: [LogTopic: [StreamSignal]] = [:]
    var gates: [AccessRequestID: [GrantGate]] = [:]
    var isDraining = false
  }

  private let state = Mutex(State())

  /// - Parameters:
  ///   - tail: the log.
  ///   - hub: observes the log already.
  public init(tail: LogTail, after hub: DeliveryHub) { _ = tail.observe(self) }

  /// Wakes a stream at each entry about a topic from now on, until `leave`.
  func follow(_ topic: LogTopic, _ signal: StreamSignal) {
    let isDraining = state.withLock { state in
      state.signals[topic, default: []].append(signal)
      return state.isDraining
    }
    if isDraining { signal.signal(.drain) }
  }

  func leave(_ topic: LogTopic, _ signal: StreamSignal) {
    state.withLock { state in
      state.signals[topic]?.removeAll { $0 === signal }
      if state.signals[topic]?.isEmpty == true { state.signals[topic] = nil }
    }
  }

  /// Opens a gate: it hears of the grant's end from now on, until `close`. Whoever opens one reads the grant's state
  /// after that: so no end falls between the two.
  func open(_ gate: GrantGate) {
    state.withLock { $0.gates[gate.grant, default: []].append(gate) }
  }

  func close(_ gate: GrantGate) {
    state.withLock { state in
      state.gates[gate.grant]?.removeAll { $0 === gate }
      if state.gates[gate.grant]?.isEmpty == true { state.gates[gate.grant] = nil }
    }
  }

  /// Called on the thread of the log's writer, in the order of the log.
  public func committed(_ rows: [CommittedRow]) {
    for row in rows {
      guard let entry = row.entry else { continue }
      if let change = entry.accessChange, change.state.isFinal {
        let gates = state.withLock { $0.gates[change.request] ?? [] }
        for gate in gates { gate.end(PositionedAccessChange(position: row.position, change: change)) }
      }
      wake(entry.topics)
    }
  }

  /// Sends a heartbeat on every stream that has been silent since the instant.
  public func beat(ifWaitingSince instant: ContinuousClock.Instant) {
    for signal in everySignal() { signal.beat(ifWaitingSince: instant) }
  }

  /// Ends every stream, and those that will come.
  public func drain() {
    state.withLock { $0.isDraining = true }
    for signal in everySignal() { signal.signal(.drain) }
  }

  private func everySignal() -> [StreamSignal] { state.withLock { $0.signals.values.flatMap { $0 } } }

  private func wake(_ topics: [LogTopic]) {
    let signals = state.withLock { state in topics.flatMap { state.signals[$0] ?? [] } }
    for signal in signals { signal.signal(.data) }
  }
}
