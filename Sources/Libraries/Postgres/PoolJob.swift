import Synchronization

/// One call of `Pool.withConnection`: waits, runs on a pool thread, ends. Its caller is resumed exactly once, by
/// whoever moves it to `ended`.
final class PoolJob: Sendable {
  /// Why a job is stopped from outside.
  enum Interruption: Sendable {
    case taskCancelled
    case deadline
    case poolClosed

    var error: any Error {
      switch self {
      case .taskCancelled: CancellationError()
      case .deadline: PostgresError(.timeout, "the deadline passed before the database was done")
      case .poolClosed: PostgresError(.poolClosed, "the connection pool was shut down")
      }
    }
  }

  /// What the body came to, and how to tell the caller.
  struct Outcome {
    let error: (any Error)?
    let resume: @Sendable () -> Void
  }

  private enum Phase {
    case waiting
    case running(CancelHandle)
    case ended
  }

  private struct State {
    var phase = Phase.waiting
    var interruption: Interruption?
  }

  let deadline: ContinuousClock.Instant?
  /// Until when it waits for a server that is gone, if it says so.
  let reconnectDeadline: ContinuousClock.Instant?
  private let state = Mutex(State())
  private let run: @Sendable (Connection) -> Outcome
  private let fail: @Sendable (any Error) -> Void

  init(
    deadline: ContinuousClock.Instant?, reconnectDeadline: ContinuousClock.Instant?,
    run: @escaping @Sendable (Connection) -> Outcome, fail: @escaping @Sendable (any Error) -> Void
  ) {
    self.deadline = deadline
    self.reconnectDeadline = reconnectDeadline
    self.run = run
    self.fail = fail
  }

  var isWaiting: Bool {
    state.withLock { if case .waiting = $0.phase { true } else { false } }
  }

  var isEnded: Bool {
    state.withLock { if case .ended = $0.phase { true } else { false } }
  }

  /// Ends a job that has not begun.
  /// - Returns: false when it has begun or ended already.
  @discardableResult
  func failWaiting(_ error: any Error) -> Bool {
    let wasWaiting = state.withLock { state in
      guard case .waiting = state.phase else { return false }
      state.phase = .ended
      return true
    }
    if wasWaiting { fail(error) }
    return wasWaiting
  }

  /// Runs the body on this thread and tells the caller, unless the job has ended before.
  /// - Parameter tidy: puts the connection in order before the caller goes on; told whether a cancel request was sent.
  func perform(on connection: Connection, tidy: (_ wasInterrupted: Bool) -> Void) {
    let isMine = state.withLock { state in
      guard case .waiting = state.phase else { return false }
      state.phase = .running(connection.cancelHandle)
      return true
    }
    guard isMine else { return }
    let outcome = run(connection)
    let interruption = state.withLock { state in
      state.phase = .ended
      return state.interruption
    }
    tidy(interruption != nil)
    guard let error = outcome.error, let interruption else { return outcome.resume() }
    // The server only knows that it was cancelled; the caller should learn why.
    switch ((error as? PostgresError)?.kind, interruption) {
    case (.cancelled, _), (.timeout, _), (.connection, _), (.unknownOutcome, .taskCancelled): fail(interruption.error)
    default: outcome.resume()
    }
  }

  /// Stops a running job, if called again and again; see `CancelHandle.interrupt`. Blocks for a connect; the lock is held
  /// meanwhile, so that the request cannot reach the next job on the same connection.
  func cancelRunning(_ reason: Interruption) {
    state.withLock { state in
      guard case .running(let handle) = state.phase else { return }
      if state.interruption == nil { state.interruption = reason }
      handle.interrupt()
    }
  }
}
