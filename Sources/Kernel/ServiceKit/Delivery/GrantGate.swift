package import Domain
package import Storage
internal import Synchronization

/// Through which the readings of one delivery under a grant go: it closes when the grant ends.
package final class GrantGate: Sendable {
  package let grant: AccessRequestID
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

  /// The grant has ended. The first end counts.
  package func end(_ change: PositionedAccessChange) {
    state.withLock { if $0 == nil { $0 = change } }
    closing.signal(.data)
    signal?.signal(.data)
  }

  /// Waits until the grant ends. One waiter at a time.
  /// - Throws: `CancellationError` if the task is cancelled first.
  package func waitForEnd() async throws -> PositionedAccessChange {
    try await closing.first { end }
  }
}
