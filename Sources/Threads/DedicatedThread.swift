import CThreads
import Glibc

/// A thread of our own, for work that blocks or computes long: it must not occupy Swift's cooperative threads or an
/// event loop.
package struct DedicatedThread: Sendable {
  /// How much of the processors a thread gets where there is more work than they do.
  package enum Priority: Sendable {
    case normal
    /// For work that takes long and may wait: about a tenth of what a normal thread gets, so that a server that has too
    /// much to do still takes readings and calls for help.
    case low

    /// What is added to the niceness (sched(7)): 10 is a weight of 110 against 1,024.
    fileprivate var niceness: Int32 { self == .low ? 10 : 0 }
  }

  private final class Start {
    let name: String
    let priority: Priority
    let body: @Sendable () -> Void
    init(_ name: String, _ priority: Priority, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.priority = priority
      self.body = body
    }
  }

  private let thread: pthread_t

  /// - Parameter name: shown by `ps -L` and debuggers; at most 15 bytes.
  package init(_ name: String, priority: Priority = .normal, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    // Unmanaged: the C entry point takes one pointer; the new thread takes the reference over, once.
    let start = Unmanaged.passRetained(Start(name, priority, body))
    let status = pthread_create(
      &thread, nil,
      { context in
        let start = Unmanaged<Start>.fromOpaque(context!).takeRetainedValue()
        pthread_setname_np(pthread_self(), start.name)
        // On Linux niceness belongs to the thread (setpriority(2), "C library/kernel differences").
        if start.priority != .normal { _ = nice(start.priority.niceness) }
        start.body()
        return nil
      }, start.toOpaque())
    // Without threads the process cannot do its work at all.
    precondition(status == 0, "pthread_create failed with error \(status)")
    self.thread = thread
  }

  /// Waits for the thread's body to return; once, and not from the thread itself.
  package func join() { pthread_join(thread, nil) }
}

/// A value behind a mutex, with a condition variable to wait for its changes.
// @unchecked: `value` is only touched with `mutex` held, and the two pthread objects never move.
package final class Monitored<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Wall-clock steps must not shorten or lengthen a wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Changes the value and wakes one waiter, or all of them.
  package func change<R>(wakingAll: Bool = false, _ body: (inout Value) throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let result = try body(&value)
    if wakingAll { pthread_cond_broadcast(condition) } else { pthread_cond_signal(condition) }
    return result
  }

  /// Waits until `body` returns a value; it is asked at once, and again after each wake.
  /// - Returns: nil when `deadline` passed first.
  package func wait<R>(until deadline: ContinuousClock.Instant? = nil, _ body: (inout Value) -> R?) -> R? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      guard let deadline else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      let left = ContinuousClock.now.duration(to: deadline)
      if left <= .zero { return nil }
      var until = timespec()
      clock_gettime(CLOCK_MONOTONIC, &until)
      let nanoseconds = Int(left.components.attoseconds / 1_000_000_000) + until.tv_nsec
      until.tv_sec += Int(left.components.seconds) + nanoseconds / 1_000_000_000
      until.tv_nsec = nanoseconds % 1_000_000_000
      pthread_cond_timedwait(condition, mutex, &until)
    }
  }
}
