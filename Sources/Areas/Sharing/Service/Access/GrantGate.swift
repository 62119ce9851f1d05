package import Domain
package import Log
package import ServiceKit
internal import Synchronization

/// Through which the readings of one delivery under a grant go: it closes when the grant ends.
package final class GrantGate: EntryListener {
  let grant: AccessRequestID
  private let signal: StreamSignal?
  /// Wakes who waits for the end.
  private let closing = StreamSignal()
  private let state = Mutex<PositionedAccessChange?>(nil)

  /// - Parameter signal: is woken when the grant ends.
  package init(grant: AccessRequestID, signal: StreamSignal? = nil) {
    self.grant = grant
    self.signal = signal
  }

  /// The change that ended the grant; nil while it stands. Nothing that was committed after its position may pass.
  package var end: PositionedAccessChange? { state.withLock { $0 } }

  package var topic: LogTopic { .grant(grant) }

  /// The first end of the grant counts.
  package func heard(_ entry: LogEntry, at position: LogPosition) {
    guard let change = entry.accessChange, change.state.isFinal else { return }
    end(PositionedAccessChange(position: position, change: change))
  }

  func end(_ change: PositionedAccessChange) {
    state.withLock { if $0 == nil { $0 = change } }
    closing.signal(.data)
    signal?.signal(.data)
  }

  /// Waits until the grant ends. One waiter at a time.
  /// - Throws: `CancellationError` if the task is cancelled first.
  func waitForEnd() async throws -> PositionedAccessChange {
    try await closing.first { end }
  }
}

extension FeedSlice {
  /// A change of the feed's grant; then there are no readings.
  var change: AccessChange? { rows[0].entry?.accessChange }
}
