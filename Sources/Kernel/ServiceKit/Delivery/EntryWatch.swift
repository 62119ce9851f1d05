internal import Domain
public import Storage
internal import Synchronization

/// Wakes streams when an entry of the log concerns them. It hears of every commit in order, on the writer's thread, and
/// after `DeliveryHub`, as its stage says: the hub's head covers what a stream is woken for.
public final class EntryWatch: CommitObserver {
  public let stage = CommitStage.entries
  /// The streams that it wakes.
  package let streams: Board<LogTopic>
  private let gates = Mutex(Members<AccessRequestID, GrantGate>())

  package init(tail: LogTail, streams: Board<LogTopic>) {
    self.streams = streams
    _ = tail.observe(self)
  }

  /// Opens a gate: it hears of the grant's end from now on, until `close`. Whoever opens one reads the grant's state
  /// after that: so no end falls between the two.
  package func open(_ gate: GrantGate) { gates.withLock { $0.add(gate, to: gate.grant) } }

  package func close(_ gate: GrantGate) { gates.withLock { $0.remove(gate, from: gate.grant) } }

  /// Called on the thread of the log's writer, in the order of the log.
  public func committed(_ rows: [CommittedRow]) {
    for row in rows {
      guard let entry = row.entry else { continue }
      if let change = entry.accessChange, change.state.isFinal {
        for gate in gates.withLock({ $0[change.request] ?? [] }) {
          gate.end(PositionedAccessChange(position: row.position, change: change))
        }
      }
      streams.wake(entry.topics)
    }
  }
}
