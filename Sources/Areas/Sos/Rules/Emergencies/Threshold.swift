public import Domain

/// Limits of one metric: a value is within them from `low` up to, not including, `high`.
public struct Limits: Sendable, Hashable, Codable {
  /// The longest hold that can be chosen.
  public static let maxHold: Microseconds = 600_000_000
  /// The hold of every default: three of the five seconds between a crossing and its call.
  public static let defaultHold: Microseconds = 3_000_000

  /// Values below it are beyond; nil: none is.
  public var low: Double?
  /// Values at it or above it are beyond; nil: none is.
  public var high: Double?
  /// How long values must stay beyond.
  public var hold: Microseconds
  /// How far within a limit a value must come back for its crossing to be over, in the metric's unit.
  public var hysteresis: Double

  public init(low: Double? = nil, high: Double? = nil, hold: Microseconds = defaultHold, hysteresis: Double) {
    self.low = low
    self.high = high
    self.hold = hold
    self.hysteresis = hysteresis
  }
}

/// The limits of one metric at rest and in exertion; nil: no value is beyond.
public struct Threshold: Sendable, Hashable, Codable {
  public var rest: Limits?
  public var exertion: Limits?

  public init(rest: Limits?, exertion: Limits?) {
    self.rest = rest
    self.exertion = exertion
  }
}
