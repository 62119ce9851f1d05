internal import Synchronization

/// Lets one task at a time through, in the order in which they come.
final class Turn: Sendable {
  private struct State {
    var isTaken = false
    var lastID: UInt64 = 0
    var waiting: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state = Mutex(State())

  /// Runs the body when it is its turn.
  /// - Throws: `CancellationError` if the task is cancelled while it waits; what the body throws.
  func run<T: Sendable>(_ body: () async throws -> T) async throws -> T {
    guard await take() else { throw CancellationError() }
    defer { give() }
    return try await body()
  }

  private func take() async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if Task.isCancelled { return false }
          if !state.isTaken {
            state.isTaken = true
            return true
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
      }
      continuation?.resume(returning: false)
    }
  }

  private func give() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
      state.isTaken = false
      return nil
    }
    next?.resume(returning: true)
  }
}
