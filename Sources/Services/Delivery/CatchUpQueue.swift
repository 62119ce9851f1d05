internal import DequeModule
internal import Synchronization

/// Lets a few streams at a time read from storage, in the order in which they ask.
///
/// After a restart every subscriber is behind at once. Each waits here, where that costs nothing, instead of in the
/// connection pool, whose queue is bounded and serves questions too.
final class CatchUpQueue: Sendable {
  private struct State {
    var free: Int
    var waiting: Deque<(id: UInt64, continuation: CheckedContinuation<Entry, Never>)> = []
    var lastID: UInt64 = 0
  }

  private let state: Mutex<State>

  /// - Parameter places: how many read at a time.
  init(places: Int) { state = Mutex(State(free: places)) }

  /// As many wait as may: nothing was run.
  struct Full: Error {}

  /// Runs the body when it is its turn.
  /// - Parameter maxWaiting: how many may wait.
  /// - Throws: `CancellationError` if the task is cancelled while it waits; `Full`; what the body throws.
  func run<T: Sendable>(maxWaiting: Int = .max, _ body: () async throws -> T) async throws -> T {
    switch await enter(maxWaiting: maxWaiting) {
    case .place: break
    case .cancelled: throw CancellationError()
    case .full: throw Full()
    }
    defer { leave() }
    return try await body()
  }

  /// How many wait.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  private enum Entry {
    case place
    case cancelled
    case full
  }

  /// Waits for a place. Without one there is none to give back.
  private func enter(maxWaiting: Int) async -> Entry {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Entry? in
          if Task.isCancelled { return .cancelled }
          if state.free > 0 {
            state.free -= 1
            return .place
          }
          guard state.waiting.count < maxWaiting else { return .full }
          state.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
      }
      continuation?.resume(returning: .cancelled)
    }
  }

  private func leave() {
    let next = state.withLock { state in
      if let next = state.waiting.popFirst() { return next.continuation as CheckedContinuation<Entry, Never>? }
      state.free += 1
      return nil
    }
    next?.resume(returning: .place)
  }
}
