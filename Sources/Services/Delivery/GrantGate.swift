internal import Domain
internal import Storage
internal import Synchronization

/// Through which the readings of one delivery under a grant go: it closes when the grant ends.
final class GrantGate: Sendable {
  private struct State {
    var end: PositionedAccessChange?
    var waiter: CheckedContinuation<Void, Never>?
    var isCancelled = false
  }

  let grant: AccessRequestID
  private let signal: StreamSignal?
  private let state = Mutex(State())

  /// - Parameter signal: is woken when the grant ends.
  init(grant: AccessRequestID, signal: StreamSignal? = nil) {
    self.grant = grant
    self.signal = signal
  }

  /// The change that ended the grant; nil while it stands. Nothing that was committed after its position may pass.
  var end: PositionedAccessChange? { state.withLock(\.end) }

  /// The grant has ended. The first end counts.
  func end(_ change: PositionedAccessChange) {
    let waiter = state.withLock { state in
      if state.end == nil { state.end = change }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
    signal?.signal(.data)
  }

  /// Waits until the grant ends. One waiter at a time.
  /// - Throws: `CancellationError` if the task is cancelled first.
  func waitForEnd() async throws -> PositionedAccessChange {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.end != nil || state.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.isCancelled = true
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
    guard let end else { throw CancellationError() }
    return end
  }
}
