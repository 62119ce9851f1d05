internal import Glibc
internal import Synchronization

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
        start()
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

  private func start() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    // The thread takes over the reference that is retained here and releases it when it starts.
    let context = Unmanaged.passRetained(self).toOpaque()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        Unmanaged<MonitorThread>.fromOpaque(context!).takeRetainedValue().loop()
        return nil
      }, context)
    pthread_attr_destroy(&attributes)
    precondition(status == 0, "the system has no thread left")
  }
}
