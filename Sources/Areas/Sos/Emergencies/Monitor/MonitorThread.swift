internal import Glibc
internal import Synchronization
internal import Threads

/// A thread that does a small thing about every 50 ms until its task is cancelled. A thread and no task: nothing that
/// waits on the executors can delay it.
final class MonitorThread: Sendable {
  private struct State {
    var isCancelled = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let work: @Sendable () -> Void
  private let state = Mutex(State())

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  /// Returns when the task is cancelled and the thread has ended.
  func run() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.waiter = continuation }
        DedicatedThread.detached("vitals") { [self] in loop() }
      }
    } onCancel: {
      state.withLock { $0.isCancelled = true }
    }
  }

  private func loop() {
    while !state.withLock({ $0.isCancelled }) {
      work()
      usleep(UInt32(VitalsMonitor.pace))
    }
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
