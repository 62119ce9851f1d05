/// How long to wait before trying again: exponentially longer, up to a limit, with jitter so that many clients of one
/// server do not come back in step. A value without a clock: it says how long, and the caller waits.
public struct BackOff: Sendable, Equatable {
  /// The delay after the first failure, before jitter.
  public var initial: Duration
  /// The longest delay, whatever the factor makes of it.
  public var max: Duration
  /// Each delay is this times the one before; at least 1.
  public var factor: Double
  /// Part of the delay that is random, 0 to 1: with 0.5 a delay lies between half and all of its nominal length.
  public var jitter: Double
  /// Failures since the last `reset()`.
  public private(set) var attempts = 0

  /// A factor below 1 counts as 1, and jitter outside 0 to 1 as the nearer end.
  public init(
    initial: Duration = .milliseconds(20), max: Duration = .milliseconds(500), factor: Double = 2, jitter: Double = 0.5
  ) {
    self.initial = initial
    self.max = max
    self.factor = Swift.max(1, factor)
    self.jitter = Swift.min(1, Swift.max(0, jitter))
  }

  /// The delay after one more failure.
  /// - Parameter random: from 0 (shortest) up to 1 (longest).
  public mutating func next(random: Double = .random(in: 0...1)) -> Duration {
    var nominal = initial
    // Stops at the limit, so that any number of attempts costs a bounded number of steps and cannot overflow.
    for _ in 0..<attempts where nominal < max && factor > 1 { nominal = nominal * factor }
    attempts += 1
    return Swift.min(nominal, max) * (1 - jitter * (1 - random))
  }

  /// Call after a success.
  public mutating func reset() { attempts = 0 }
}
