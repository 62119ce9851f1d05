public import Domain

/// What was crossed. The numbers are those of `trackme.sos.v1.CrossingKind`.
public enum CrossingKind: Int32, Sendable, Codable {
  /// Values below the low limit.
  case low = 1
  /// Values at the high limit or above it.
  case high
  /// The aggregate NEWS2 score at its limit or above it.
  case score
  /// No heart rate although the device was worn.
  case silence
}

/// What is known of why no heart rate came. The numbers are those of `trackme.sos.v1.SilenceCause`.
public enum SilenceCause: Int32, Sendable, Codable {
  case unknown = 1
  case lowBattery
  case streamClosed
  case connectionLost
  case stoppedMoving

  /// Whether it explains the silence, so that nobody is called for it.
  public var isHarmless: Bool { self == .lowBattery || self == .streamClosed }
}

/// A scalar reading that an emergency tells of.
public struct Vital: Sendable, Hashable, Codable {
  public var metric: MetricID
  public var source: SourceID
  /// When it was taken.
  public var time: Microseconds
  /// In the metric's unit.
  public var value: Double

  public init(metric: MetricID, source: SourceID, time: Microseconds, value: Double) {
    self.metric = metric
    self.source = source
    self.time = time
    self.value = value
  }
}

/// One limit that was crossed for as long as its hold time.
public struct Crossing: Sendable, Hashable, Codable {
  public var kind: CrossingKind
  /// 0 for a score; the heart rate's for silence.
  public var metric: MetricID
  /// In the metric's unit, in points of the score, or in minutes of silence.
  public var limit: Double
  /// Of the newest reading beyond the limit, in the same unit.
  public var value: Double
  /// When the first reading beyond the limit was taken.
  public var began: Microseconds
  /// The server's time when the reading that completed it was received, or when the hold time had passed.
  public var completed: Microseconds
  public var hold: Microseconds
  /// Of the limits that decided.
  public var ruleVersion: String
  public var duringExertion: Bool
  /// The readings that decided: the first and the newest beyond the limit, or the parts of the score.
  public var readings: [Vital]
  /// Of a silence only.
  public var silenceCause: SilenceCause?

  public init(
    kind: CrossingKind, metric: MetricID, limit: Double, value: Double, began: Microseconds, completed: Microseconds,
    hold: Microseconds, ruleVersion: String, duringExertion: Bool = false, readings: [Vital],
    silenceCause: SilenceCause? = nil
  ) {
    self.kind = kind
    self.metric = metric
    self.limit = limit
    self.value = value
    self.began = began
    self.completed = completed
    self.hold = hold
    self.ruleVersion = ruleVersion
    self.duringExertion = duringExertion
    self.readings = readings
    self.silenceCause = silenceCause
  }
}

/// Where a person was last.
public struct LastPosition: Sendable, Hashable, Codable {
  /// Degrees, WGS 84, north positive.
  public var latitude: Double
  /// Degrees, WGS 84, east positive.
  public var longitude: Double
  /// Metres, radius of the 68 % circle; nil: not known.
  public var accuracy: Double?
  /// When it was measured.
  public var time: Microseconds

  public init(latitude: Double, longitude: Double, accuracy: Double?, time: Microseconds) {
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.time = time
  }
}
