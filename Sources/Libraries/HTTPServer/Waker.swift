internal import CMicroHTTPD
internal import Synchronization
internal import Threads

/// Suspends connections, and resumes them: many at once where many are suspended.
///
/// Each time that libmicrohttpd has something to resume it goes through all that are suspended, at 8 ns for each: with
/// 10,000 streams whose frames come one by one that would be most of a processor. So the more there are, the longer one
/// waits for others: half a microsecond for each, which is 5 ms with 10,000.
final class Waker: Sendable {
  private static let pausePerSuspended: Duration = .nanoseconds(500)
  /// A shorter one is not worth the waking of a thread.
  private static let shortestPause: Duration = .microseconds(200)

  private struct State {
    var waiting: [ConnectionHandle] = []
    /// When connections were resumed.
    var last = ContinuousClock.now
    var isStopping = false
  }

  private let suspendedCount = Atomic<Int>(0)
  private let state = Monitored(State())

  /// How long others are waited for.
  private var pause: Duration { Self.pausePerSuspended * suspendedCount.load(ordering: .relaxed) }

  /// On libmicrohttpd's thread.
  func suspend(_ connection: ConnectionHandle) {
    suspendedCount.add(1, ordering: .relaxed)
    MHD_suspend_connection(connection.pointer)
  }

  /// Once for each suspension, on any thread.
  func resume(_ connection: ConnectionHandle) {
    suspendedCount.subtract(1, ordering: .relaxed)
    let pause = pause
    guard pause >= Self.shortestPause else { return MHD_resume_connection(connection.pointer) }
    let (isNow, isFirst) = state.withLock { state in
      if state.isStopping || (state.waiting.isEmpty && .now >= state.last + pause) {
        state.last = .now
        return (true, false)
      }
      state.waiting.append(connection)
      return (false, state.waiting.count == 1)
    }
    if isNow { MHD_resume_connection(connection.pointer) }
    if isFirst { state.signal() }
  }

  /// Resumes those that wait, until `stop`: what a thread of its own does.
  func run() {
    while let next = state.wait({ $0.waiting.isEmpty ? $0.isStopping ? .some(nil) : nil : .some($0.last + pause) }),
      let next
    {
      state.wait(until: next) { $0.isStopping ? true : nil }
      let connections = state.withLock { state in
        defer {
          state.waiting.removeAll(keepingCapacity: true)
          state.last = .now
        }
        return state.waiting
      }
      for connection in connections { MHD_resume_connection(connection.pointer) }
    }
  }

  /// Nothing waits any more: `run` resumes what does, and returns.
  func stop() { state.change(wakingAll: true) { $0.isStopping = true } }
}
