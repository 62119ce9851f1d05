/// The shape of a metric's values.
public enum MetricKind: String, Sendable, CaseIterable {
  /// One number.
  case scalar
  /// A place on WGS 84.
  case position
  /// Samples taken at one rate.
  case waveform
}

/// One kind of reading, as the registry describes it.
public struct Metric: Sendable, Equatable {
  /// Its number, 1 to 65,535; never changes.
  public let id: MetricID
  /// Its name in the API, such as `heart_rate`; never changes.
  public let name: String
  /// Its name for people.
  public let displayName: String
  public let kind: MetricKind
  /// UCUM code of the unit, such as `/min`.
  public let unit: String
  /// LOINC code, or empty.
  public let loincCode: String
  /// The least and the greatest value that are physically possible, in the unit.
  public let minimum: Double
  public let maximum: Double
  /// Whether 0 is what sensors write when they have nothing to say, and no reading; of a position, latitude and longitude 0.
  public let zeroIsNoValue: Bool

  public init(
    id: MetricID, name: String, displayName: String, kind: MetricKind, unit: String, loincCode: String,
    minimum: Double, maximum: Double, zeroIsNoValue: Bool = false
  ) {
    self.id = id
    self.name = name
    self.displayName = displayName
    self.kind = kind
    self.unit = unit
    self.loincCode = loincCode
    self.minimum = minimum
    self.maximum = maximum
    self.zeroIsNoValue = zeroIsNoValue
  }
}

/// The metric registry as it stands at one moment.
public struct MetricCatalog: Sendable, Equatable {
  /// In the order of their numbers.
  public let metrics: [Metric]
  private let byName: [String: Metric]
  /// The place in `metrics` by number, -1 where there is none: validation looks a metric up for every reading.
  private let places: [Int32]

  public init(_ metrics: [Metric]) {
    self.metrics = metrics.sorted { $0.id < $1.id }
    byName = Dictionary(metrics.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var places = [Int32](repeating: -1, count: Int(self.metrics.last?.id ?? 0) + 1)
    for (place, metric) in self.metrics.enumerated() { places[Int(metric.id)] = Int32(place) }
    self.places = places
  }

  public subscript(name: String) -> Metric? { byName[name] }

  public subscript(id: MetricID) -> Metric? {
    guard id > 0, Int(id) < places.count, places[Int(id)] >= 0 else { return nil }
    return metrics[Int(places[Int(id)])]
  }

  /// The limits of the scalar metrics by number, for a tight loop: none for an unknown number. Where 0 is no value, the
  /// range that begins with it begins after it; one that has it inside has none, and is looked at reading by reading.
  func scalarLimits() -> [ClosedRange<Double>?] {
    places.map { place in
      guard place >= 0, metrics[Int(place)].kind == .scalar else { return nil }
      let metric = metrics[Int(place)]
      guard metric.zeroIsNoValue, metric.minimum <= 0, metric.maximum >= 0 else {
        return metric.minimum...metric.maximum
      }
      let least = Double.leastNonzeroMagnitude
      return metric.minimum == 0 && metric.maximum >= least ? least...metric.maximum : nil
    }
  }
}
