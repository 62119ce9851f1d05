/// What a task waits for at the log.
enum LogCondition {
  /// The open group has been taken for its commit.
  case room
  /// The same, or the log has made no progress for so long.
  case roomOrStall(of: Duration)
  /// Nothing of the session waits for a commit, or the log has made no progress for so long.
  case drained(IngestSession, orStallOf: Duration?)
  /// The writer has stopped.
  case ended

  func holds(in state: LogWriter.State) -> Bool {
    if state.hasEnded { return true }
    switch self {
    case .room: return state.open.isEmpty || state.isClosed
    case .roomOrStall(let limit): return state.open.isEmpty || state.isClosed || state.isStalled(for: limit)
    case .drained(let session, orStallOf: let limit):
      return session.uncommittedBatches == 0 || limit.map(state.isStalled) ?? false
    case .ended: return false
    }
  }
}

extension LogWriter {
  /// Waits until there is room for another batch, or the log closes.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func waitForRoom() async throws { try await wait(for: .room) }

  /// The same, but not longer than until the log has made no progress for a while.
  ///
  /// - Parameter limit: somebody looks at it now and then, and calls `wakeStalled()`.
  /// - Returns: false if the log makes no progress.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func waitForRoom(orStallOf limit: Duration) async throws -> Bool {
    try await wait(for: .roomOrStall(of: limit))
    return !isStalled(for: limit)
  }

  /// Whether a commit, or batches that wait for one, have taken so long that PostgreSQL must be gone, or as good as gone.
  public func isStalled(for limit: Duration) -> Bool { monitor.withLock { $0.isStalled(for: limit) } }

  /// Wakes those who wait for room no longer than until the log has stalled.
  public func wakeStalled() { wakeWaiters() }

  /// Waits for a condition.
  /// - Throws: `CancellationError` if the task is cancelled.
  func wait(for condition: LogCondition) async throws {
    let id = monitor.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isMet = monitor.withLock { state in
          if condition.holds(in: state) || Task.isCancelled { return true }
          state.waiters[id] = (condition, continuation)
          return false
        }
        if isMet { continuation.resume() }
      }
    } onCancel: {
      monitor.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
    try Task.checkCancellation()
  }

  /// Wakes those whose condition holds now.
  func wakeWaiters() {
    let met = monitor.withLock { state in
      guard !state.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      let met = state.waiters.filter { $0.value.condition.holds(in: state) }
      for id in met.keys { state.waiters[id] = nil }
      return met.values.map(\.continuation)
    }
    for continuation in met { continuation.resume() }
  }
}

extension LogWriter.State {
  func isStalled(for limit: Duration) -> Bool {
    guard let since = committingSince ?? openSince else { return false }
    return ContinuousClock.now - since >= limit
  }
}
