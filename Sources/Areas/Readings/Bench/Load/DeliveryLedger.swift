internal import BenchKit
internal import Synchronization

/// What one run of pushes has brought to the subscribers so far.
final class DeliveryLedger: Sendable {
  private struct State {
    /// When each push was due, in nanoseconds; the first one is `firstPush`.
    var due: [Int64] = []
    var latencies: [Int64] = []
    var frames = 0
    var readings = 0
    var failure: String?
    var waiter: (readings: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  let firstPush: Int
  private let state: Mutex<State>

  init(firstPush: Int, pushes: Int, deliveries: Int) {
    self.firstPush = firstPush
    var state = State()
    state.due.reserveCapacity(pushes)
    state.latencies.reserveCapacity(deliveries)
    self.state = Mutex(state)
  }

  /// The next push is due at a time, whenever it will really happen.
  func schedule(_ due: Int64) { state.withLock { $0.due.append(due) } }

  /// A frame has been received and decoded.
  /// - Parameter pushes: the numbers of the pushes whose readings it held.
  func received(_ pushes: some Collection<Int>) {
    let now = monotonicNanoseconds()
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.frames += 1
      state.readings += pushes.count
      for push in pushes where state.due.indices.contains(push - firstPush) {
        state.latencies.append(now - state.due[push - firstPush])
      }
      return Self.takeWaiter(&state)
    }
    waiter?.resume()
  }

  /// A subscriber has seen what it must not see.
  func failed(_ problem: String) {
    let waiter = state.withLock { state in
      state.failure = state.failure ?? problem
      return Self.takeWaiter(&state)
    }
    waiter?.resume()
  }

  /// Waits until so many readings have been delivered, to all subscribers together.
  func wait(forReadings readings: Int) async throws {
    await withCheckedContinuation { continuation in
      let waiter = state.withLock { state in
        state.waiter = (readings, continuation)
        return Self.takeWaiter(&state)
      }
      waiter?.resume()
    }
    if let failure = state.withLock(\.failure) { throw BenchError(failure) }
  }

  private static func takeWaiter(_ state: inout State) -> CheckedContinuation<Void, Never>? {
    guard let waiter = state.waiter, state.failure != nil || state.readings >= waiter.readings else { return nil }
    state.waiter = nil
    return waiter.continuation
  }

  /// The frames and readings received, and the latency of each delivery in nanoseconds, sorted.
  var result: (frames: Int, readings: Int, latencies: [Int64]) {
    state.withLock { ($0.frames, $0.readings, $0.latencies.sorted()) }
  }
}
