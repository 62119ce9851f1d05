internal import Domain

/// A reading that is one number.
struct ScalarReading: Sendable, Equatable {
  let metric: MetricID
  let source: SourceID
  let time: Microseconds
  let value: Double
}

/// What becomes one observation.
enum ObservedScalar: Sendable, Equatable {
  case single(ScalarReading)
  /// The blood pressures of one moment and source, one of which may be missing.
  case bloodPressure(systolic: ScalarReading?, diastolic: ScalarReading?)
}

/// Finds the two blood pressures that belong together, of the same moment and source, in readings that come in the
/// order of time.
struct BloodPressurePairs: Sendable {
  /// The most readings of one moment that wait for their other half. Where a moment has more, the rest of it stands
  /// alone.
  static let waitingMax = 1_000

  private let systolic: MetricID
  private let diastolic: MetricID
  private let waitingMax: Int
  private var time: Microseconds = .min
  private var waiting: [SourceID: ScalarReading] = [:]
  /// Some of this moment have not waited: nobody knows whether those that find no other half have one.
  private var isOverfull = false

  init(systolic: MetricID, diastolic: MetricID, waitingMax: Int = waitingMax) {
    self.systolic = systolic
    self.diastolic = diastolic
    self.waitingMax = waitingMax
  }

  /// Whether a reading of a source waits.
  func isWaiting(for source: SourceID) -> Bool { waiting[source] != nil }

  /// Takes the next reading.
  /// - Returns: what is complete with it.
  mutating func take(_ reading: ScalarReading) -> [ObservedScalar] {
    var complete = reading.time == time ? [] : end()
    time = reading.time
    if reading.metric != systolic && reading.metric != diastolic {
      complete.append(.single(reading))
    } else if let other = waiting.removeValue(forKey: reading.source) {
      complete.append(pair(other, reading))
    } else if isOverfull || waiting.count == waitingMax {
      isOverfull = true
      complete.append(.single(reading))
    } else {
      waiting[reading.source] = reading
    }
    return complete
  }

  /// Nothing more of this moment will come.
  /// - Returns: those that have waited in vain.
  mutating func end() -> [ObservedScalar] {
    let alone = waiting.values.sorted { $0.source < $1.source }.map { pair($0, nil) }
    waiting.removeAll(keepingCapacity: true)
    isOverfull = false
    return alone
  }

  private func pair(_ one: ScalarReading, _ other: ScalarReading?) -> ObservedScalar {
    one.metric == systolic
      ? .bloodPressure(systolic: one, diastolic: other) : .bloodPressure(systolic: other, diastolic: one)
  }
}
