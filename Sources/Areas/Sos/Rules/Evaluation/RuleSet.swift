public import Domain

/// On which side of its limits a value lies.
enum Side: UInt8, Sendable {
  case within
  case low
  case high

  var kind: CrossingKind? {
    switch self {
    case .within: nil
    case .low: .low
    case .high: .high
    }
  }
}

/// Limits made ready for comparison.
struct CompiledLimits: Sendable {
  /// Minus infinity where there is none.
  var low = -Double.infinity
  /// Infinity where there is none.
  var high = Double.infinity
  /// A low crossing is over from this value on, a high one below this value.
  var lowIsOver = -Double.infinity
  var highIsOver = Double.infinity
  var hold: Microseconds = 0

  init(_ limits: Limits?) {
    guard let limits else { return }
    hold = min(max(limits.hold, 0), Limits.maxHold)
    let hysteresis = limits.hysteresis >= 0 ? limits.hysteresis : 0
    // A limit that is no number is none: nothing is below or above it.
    if let low = limits.low, !low.isNaN { self.low = low }
    if let high = limits.high, !high.isNaN { self.high = high }
    // However wide a person's own hysteresis is, the middle between the limits ends a crossing.
    let middle = low + (high - low) / 2
    lowIsOver = high.isFinite && low < high ? min(low + hysteresis, middle) : low + hysteresis
    highIsOver = low.isFinite && low < high ? max(high - hysteresis, middle) : high - hysteresis
  }

  @inline(__always) func side(of value: Double) -> Side { value < low ? .low : value >= high ? .high : .within }

  /// Whether a value ends a crossing.
  func ends(_ kind: CrossingKind, _ value: Double) -> Bool {
    switch kind {
    case .low: value >= lowIsOver
    case .high: value < highIsOver
    case .score, .silence: true
    }
  }

  func limit(_ kind: CrossingKind) -> Double { kind == .low ? low : high }
}

/// The rules by which a person's readings are judged, made ready for the way of every reading. Persons with equal rules
/// share one.
public final class RuleSet: Sendable {
  /// What makes rules equal.
  public struct Key: Hashable, Sendable {
    public var age: Int?
    public var usesOxygenScale2: Bool
    public var usesSupplementalOxygen: Bool
    public var thresholds: [MetricID: Threshold]
    public var thresholdsVersion: Int64

    public init(
      age: Int?, usesOxygenScale2: Bool = false, usesSupplementalOxygen: Bool = false,
      thresholds: [MetricID: Threshold] = [:], thresholdsVersion: Int64 = 0
    ) {
      self.age = age
      self.usesOxygenScale2 = usesOxygenScale2
      self.usesSupplementalOxygen = usesSupplementalOxygen
      self.thresholds = thresholds
      self.thresholdsVersion = thresholdsVersion
    }

    /// The rules of a person on a day.
    public init(_ person: MonitoredPerson, on day: CalendarDate?) {
      self.init(
        age: person.dateOfBirth.flatMap { birth in day.map { birth.age(on: $0) } },
        usesOxygenScale2: person.settings.usesOxygenScale2,
        usesSupplementalOxygen: person.settings.usesSupplementalOxygen, thresholds: person.thresholds,
        thresholdsVersion: person.thresholdsVersion)
    }
  }

  public let key: Key
  /// Each decision records it.
  public let version: String
  /// The aggregate score that calls; 0 if none is computed.
  public let scoreLimit: Int
  /// The limits that hold, the person's own in the place of defaults.
  public let thresholds: [MetricID: Threshold]

  /// Places by metric number, -1 for a metric that nothing depends on.
  private let places: [Int16]
  let rest: [CompiledLimits]
  let exertion: [CompiledLimits]
  /// The shortest hold time of each metric that takes more than one reading; the greatest number where there is none.
  let shortestHold: [Microseconds]

  public init(_ key: Key) {
    self.key = key
    version = DefaultThresholds.version(age: key.age, thresholdsVersion: key.thresholdsVersion)
    scoreLimit = DefaultThresholds.scoreLimit(age: key.age)
    thresholds = DefaultThresholds.thresholds(age: key.age, usesOxygenScale2: key.usesOxygenScale2)
      .merging(key.thresholds) { _, own in own }
    let metrics = Set(VitalSign.all).union(thresholds.keys).filter { 1...65_535 ~= $0 }.sorted()
    var places = [Int16](repeating: -1, count: Int(metrics.last ?? 0) + 1)
    for (place, metric) in metrics.enumerated().prefix(Int(Int16.max)) { places[Int(metric)] = Int16(place) }
    self.places = places
    rest = metrics.map { [thresholds] in CompiledLimits(thresholds[$0]?.rest) }
    exertion = metrics.map { [thresholds] in CompiledLimits(thresholds[$0]?.exertion) }
    shortestHold = zip(rest, exertion).map { rest, exertion in
      [rest.hold, exertion.hold].filter { $0 > 0 }.min() ?? .max
    }
  }

  /// The place of a metric's limits; nil if its readings are not looked at.
  @inline(__always) func place(of metric: MetricID) -> Int? {
    guard metric > 0, Int(metric) < places.count else { return nil }
    let place = Int(places[Int(metric)])
    return place < 0 ? nil : place
  }

  /// The place of the first reading, from `start` on, whose value lies beyond its limits at rest; nil if there is none.
  public func firstBeyondLimit(in readings: borrowing ScalarColumns, from start: Int) -> Int? {
    let count = readings.count
    var index = start
    while index < count {
      if let place = place(of: readings.metric[index]), rest[place].side(of: readings.value[index]) != .within {
        return index
      }
      index += 1
    }
    return nil
  }

  /// The points of a value in the score; 0 if none is computed.
  @inline(__always) func points(_ metric: MetricID, _ value: Double) -> Int {
    guard scoreLimit > 0 else { return 0 }
    return NEWS2.points(
      metric, value, usesScale2: key.usesOxygenScale2, onOxygen: key.usesSupplementalOxygen)
  }

  /// The points that do not depend on a reading.
  var standingPoints: Int { key.usesSupplementalOxygen ? NEWS2.supplementalOxygenPoints : 0 }

  /// The rules of the same person at another age.
  public func key(atAge age: Int?) -> Key {
    var key = key
    key.age = age
    return key
  }
}
