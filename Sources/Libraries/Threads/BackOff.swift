/// How long to wait before trying again: twice as long each time, up to a limit, with jitter where many clients of one
/// server must not come back in step. A value without a clock: it says how long, and the caller waits.
package struct BackOff: Sendable {
  private let initial: Duration
  private let max: Duration
  private let jitter: Double
  /// How often `next` was asked since the last `reset()`.
  package private(set) var attempts = 0

  /// - Parameters:
  ///   - initial: the delay after the first failure, unless `max` is shorter.
  ///   - max: the longest delay.
  ///   - jitter: the part of a delay that is random, 0 to 1: with 0.5 a delay lies between half and all of its length.
  package init(initial: Duration, max: Duration, jitter: Double = 0.5) {
    self.initial = initial
    self.max = max
    self.jitter = Swift.min(1, Swift.max(0, jitter))
  }

  /// The delay after one more failure.
  /// - Parameter random: from 0 (shortest) up to 1 (longest).
  package mutating func next(random: Double = .random(in: 0...1)) -> Duration {
    attempts += 1
    let longest = delay(after: attempts)
    return jitter == 0 ? longest : longest * (1 - jitter * (1 - random))
  }

  /// The delay after so many failures, at least one, without jitter: for who keeps the count elsewhere.
  package func delay(after attempts: Int) -> Duration {
    var delay = initial
    // Stops at the limit, so that any number of attempts costs a bounded number of steps and cannot overflow.
    for _ in 1..<Swift.max(1, Swift.min(attempts, 64)) where delay < max { delay = delay * 2 }
    return Swift.min(delay, max)
  }

  /// Call after a success.
  package mutating func reset() { attempts = 0 }
}
