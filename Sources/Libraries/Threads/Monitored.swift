package import Glibc

/// A value behind a mutex, with a condition variable to wait for its changes: for threads that wait, not tasks.
///
/// It can be inlined, because each batch of readings goes through one.
// @unchecked: `value` is only touched with `mutex` held, and the two pthread objects never move.
package final class Monitored<Value>: @unchecked Sendable {
  @usableFromInline var value: Value
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

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

  @inlinable package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Wakes one waiter, after a change made in `withLock`.
  @inlinable package func signal() { pthread_cond_signal(condition) }

  /// Changes the value and wakes one waiter, or all of them.
  @inlinable package func change<R>(wakingAll: Bool = false, _ body: (inout Value) throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let result = try body(&value)
    if wakingAll { pthread_cond_broadcast(condition) } else { pthread_cond_signal(condition) }
    return result
  }

  /// Waits until `body` returns a value; it is asked at once, and again after each wake.
  /// - Returns: nil when `deadline` passed first.
  @discardableResult
  @inlinable package func wait<R>(
    until deadline: ContinuousClock.Instant? = nil, _ body: (inout Value) -> R?
  ) -> R? {
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
