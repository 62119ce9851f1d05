package import Domain
public import Log
internal import Synchronization

/// Hears of the entries of a topic on the writer's thread, before streams are woken for them: it must not block.
package protocol EntryListener: AnyObject, Sendable {
  var topic: LogTopic { get }
  func heard(_ entry: LogEntry, at position: LogPosition)
}

/// Wakes streams when an entry of the log concerns them. It hears of every commit in order, on the writer's thread, and
/// after `DeliveryHub`, as its stage says: the hub's head covers what a stream is woken for.
public final class EntryWatch: CommitObserver {
  public let stage = CommitStage.entries
  /// The streams that it wakes.
  package let streams: Board<LogTopic>
  private let listeners = Mutex(Members<LogTopic, any EntryListener>())

  package init(tail: LogTail, streams: Board<LogTopic>) {
    self.streams = streams
    _ = tail.observe(self)
  }

  /// A listener hears of its topic's entries from now on, until `close`. Whoever opens one reads what has been committed
  /// after that: so no entry falls between the two.
  package func open(_ listener: any EntryListener) {
    listeners.withLock { $0.add(listener, to: listener.topic) }
  }

  package func close(_ listener: any EntryListener) {
    listeners.withLock { $0.remove(listener, from: listener.topic) }
  }

  /// Called on the thread of the log's writer, in the order of the log.
  public func committed(_ rows: [CommittedRow]) {
    for row in rows {
      guard let entry = row.entry else { continue }
      for listener in listeners.withLock({ all in entry.topics.flatMap { all[$0] ?? [] } }) {
        listener.heard(entry, at: row.position)
      }
      streams.wake(entry.topics)
    }
  }
}
