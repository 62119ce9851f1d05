internal import Glibc

/// A value behind a lock on which one thread can wait for the others. Used where a thread, not a task, waits.
final class Monitor<State>: @unchecked Sendable {  // Every access to `state` is made with `mutex` held.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
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

  /// Runs the body with the lock held.
  func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Wakes the waiting thread.
  func signal() { pthread_cond_signal(condition) }

  /// Waits until the condition holds or the time is over, then runs the body, all under one lock.
  ///
  /// - Parameter timeout: the longest wait; nil waits for ever.
  func wait<R>(until holds: (State) -> Bool, timeout: Duration? = nil, then body: (inout State) -> R) -> R {
    var deadline = timespec()
    if let timeout {
      clock_gettime(CLOCK_MONOTONIC, &deadline)
      let (seconds, attoseconds) = timeout.components
      let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
      deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
      deadline.tv_nsec = nanoseconds % 1_000_000_000
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !holds(state) {
      if timeout == nil {
        pthread_cond_wait(condition, mutex)
      } else if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
        break
      }
    }
    return body(&state)
  }
}

/// Starts a thread of its own for work that blocks. Its stack is 1 MiB.
func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 1 << 20)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  // The thread takes over the reference that is retained here and releases it when it starts.
  let context = Unmanaged.passRetained(Body(body)).toOpaque()
  let status = pthread_create(
    &thread, &attributes,
    { context in
      let body = Unmanaged<Body>.fromOpaque(context!).takeRetainedValue()
      body.run()
      return nil
    }, context)
  pthread_attr_destroy(&attributes)
  precondition(status == 0, "the system has no thread left")
}
