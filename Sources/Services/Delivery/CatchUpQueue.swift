internal import DequeModule
internal import Synchronization

/// Lets a few streams at a time read from storage, in the order in which they ask.
///
/// After a restart every subscriber is behind at once. Each waits here, where that costs nothing, instead of in the
/// connection pool, whose queue is bounded and serves questions too.
final class CatchUpQueue: Sendable {
  private struct State {
    var free: Int
    var waiting: Deque<(id: UInt64, continuation: CheckedContinuation<Bool, Never>)> = []
    var lastID: UInt64 = 0
  }

  private let state: Mutex<State>

  /// - Parameter places: how many read at a time.
  init(places: Int) { state = Mutex(State(free: places)) }

  /// Runs the body when it is its turn.
  /// - Throws: `CancellationError` if the task is cancelled while it waits; what the body throws.
  func run<T: Sendable>(_ body: () async throws -> T) async throws -> T {
    guard await enter() else { throw CancellationError() }
    defer { leave() }
    return try await body()
  }

  /// How many wait.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  /// Waits for a place. False if the task is cancelled; then there is none to give back.
  private func enter() async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if Task.isCancelled { return false }
          if state.free > 0 {
            state.free -= 1
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

  private func leave() {
    let next = state.withLock { state in
      if let next = state.waiting.popFirst() { return next.continuation as CheckedContinuation<Bool, Never>? }
      state.free += 1
      return nil
    }
    next?.resume(returning: true)
  }
}
