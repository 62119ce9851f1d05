/// What a task waits for at the log.
enum LogCondition {
  /// The open group has been taken for its commit.
  case room
  /// Nothing of the session waits for a commit.
  case drained(IngestSession)
  /// The writer has stopped.
  case ended

  func holds(in state: LogWriter.State) -> Bool {
    if state.hasEnded { return true }
    switch self {
    case .room: return state.open.isEmpty || state.isClosed
    case .drained(let session): return session.uncommittedBatches == 0
    case .ended: return false
    }
  }
}

extension LogWriter {
  /// Waits until there is room for another batch, or the log closes.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func waitForRoom() async throws { try await wait(for: .room) }

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
