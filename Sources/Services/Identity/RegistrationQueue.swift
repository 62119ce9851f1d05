internal import DequeModule
internal import RPCRuntime
internal import Synchronization

/// Lets a few registrations at once compute a password's hash and write, so that strangers who register leave room for
/// persons who log in. The others wait in a bounded line, in the order in which they came.
final class RegistrationQueue: Sendable {
  private struct State {
    var free: Int
    var waiting: Deque<CheckedContinuation<Bool, Never>> = []
  }

  /// How many registrations wait, at most: about five seconds of work.
  static let maxWaiting = 256
  private let state: Mutex<State>

  /// - Parameter places: how many registrations run at once.
  init(places: Int = 8) { state = Mutex(State(free: places)) }

  /// Runs `body` when its turn has come.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_BUSY; what `body` throws.
  nonisolated(nonsending) func run<T>(_ body: () async throws -> T) async throws -> T {
    try await enter()
    defer { leave() }
    return try await body()
  }

  private nonisolated(nonsending) func enter() async throws {
    let isIn = await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        guard state.waiting.count < Self.maxWaiting else { return false }
        state.waiting.append(continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
    guard isIn else { throw RPCStatus.tooBusy }
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let next = state.waiting.popFirst() else {
        state.free += 1
        return nil
      }
      return next
    }
    next?.resume(returning: true)
  }
}
