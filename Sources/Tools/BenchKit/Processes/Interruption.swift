internal import Glibc
internal import Synchronization

/// Ctrl-C and SIGTERM end a bench as an error does, so that everything it has started is stopped and removed.
package enum Interruption {
  private static let hasCome = Atomic<Bool>(false)

  /// Takes the signals over, for the rest of the process's life.
  package static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in Interruption.hasCome.store(true, ordering: .relaxed) }
    }
    // A child that is gone shows as an error of the write.
    signal(SIGPIPE, SIG_IGN)
  }

  /// - Throws: when the bench is to end.
  package static func check() throws {
    if hasCome.load(ordering: .relaxed) { throw BenchError("interrupted") }
  }

  /// Sleeps, unless the bench is to end.
  package static func sleep(_ duration: Duration) throws {
    let end = ContinuousClock.now + duration
    while true {
      try check()
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return }
      usleep(UInt32(min(left, .milliseconds(50)) / .microseconds(1)))
    }
  }

  /// Asks for something until it is there.
  /// - Throws: when it is not there in time; what `body` throws.
  @discardableResult
  package static func wait<R>(for what: String, within limit: Duration, _ body: () throws -> R?) throws -> R {
    let end = ContinuousClock.now + limit
    while true {
      if let result = try body() { return result }
      guard ContinuousClock.now < end else { throw BenchError("waited in vain for \(what)") }
      try sleep(.milliseconds(20))
    }
  }
}
