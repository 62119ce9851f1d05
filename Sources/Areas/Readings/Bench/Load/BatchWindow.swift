internal import BenchKit
internal import Synchronization

/// The batches of one stream that are sent and not acknowledged: at most so many at once. Measures how long each
/// acknowledgement took.
final class BatchWindow: Sendable {
  private struct State {
    var sentAt: [Int64]
    var latencies: [Int64] = []
    var sent = 0
    var isFailed = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let size: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - size: the most batches that may be unacknowledged.
  ///   - batches: how many there will be.
  init(size: Int, batches: Int) {
    self.size = size
    var state = State(sentAt: [])
    state.sentAt.reserveCapacity(batches)
    state.latencies.reserveCapacity(batches)
    self.state = Mutex(state)
  }

  /// Waits for room, and takes the time for the next batch.
  /// - Returns: whether there is room for one more behind it, so that the two can travel together; nil after `fail()`.
  func enter() async -> Bool? {
    while true {
      let hasEntered = state.withLock { state -> Bool in
        guard state.sent - state.latencies.count < size else { return state.isFailed }
        state.sent += 1
        state.sentAt.append(monotonicNanoseconds())
        return true
      }
      if hasEntered { break }
      await withCheckedContinuation { continuation in
        let isRoom = state.withLock { state in
          if state.sent - state.latencies.count < size || state.isFailed { return true }
          state.waiter = continuation
          return false
        }
        if isRoom { continuation.resume() }
      }
    }
    return state.withLock { $0.isFailed ? nil : $0.sent - $0.latencies.count < size }
  }

  /// The next batches are acknowledged.
  /// - Returns: how many are acknowledged by now.
  func leave(_ count: Int) -> Int {
    let now = monotonicNanoseconds()
    let (acknowledged, waiter) = state.withLock { state in
      for _ in 0..<count { state.latencies.append(now - state.sentAt[state.latencies.count]) }
      defer { state.waiter = nil }
      return (state.latencies.count, state.waiter)
    }
    waiter?.resume()
    return acknowledged
  }

  /// Nothing more will be acknowledged.
  func fail() {
    let waiter = state.withLock { state in
      state.isFailed = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Nanoseconds from sending to acknowledgement, of each batch.
  var latencies: [Int64] { state.withLock { $0.latencies } }
}
