internal import Domain
internal import Postgres
internal import Synchronization

/// Names that are being registered in the database. Those who brought them wait for it as long as they like; the
/// registration goes on without them, and its names are at hand when it is done.
final class SourceRegistration: Sendable {
  /// Who brings which names: the same again wait for the same registration.
  struct Key: Hashable {
    let account: AccountID?
    let names: Set<String>
  }

  private struct State {
    var result: Swift.Result<Void, any Error>?
    var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var lastWaiter: UInt64 = 0
  }

  private let state = Mutex(State())

  /// The registration has succeeded or failed.
  func end(_ result: Swift.Result<Void, any Error>) {
    let waiters = state.withLock { state in
      state.result = result
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Waits for the end.
  /// - Parameter patience: how long; nil for as long as it takes.
  /// - Throws: what the registration has failed with; `PostgresError` of kind `connection` when the time is up;
  ///   `CancellationError`.
  func wait(_ patience: Duration?) async throws {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let end = state.withLock { state -> Swift.Result<Void, any Error>? in
          if let result = state.result { return result }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[id] = continuation
          return nil
        }
        if let end { return continuation.resume(with: end) }
        guard let patience else { return }
        timer = Task {
          guard (try? await Task.sleep(for: patience)) != nil else { return }
          leave(id, PostgresError(.connection, "the database did not answer in time"))
        }
      }
    } onCancel: {
      leave(id, CancellationError())
    }
  }

  private func leave(_ id: UInt64, _ error: any Error) {
    state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: error)
  }
}
