internal import Domain
internal import ServiceAPI
internal import ServiceKit
internal import SosRules
internal import WireCodec

// Limits between the wire and the rules.

extension Trackme_Sos_V1_Limits {
  init(_ limits: Limits) {
    self.init(low: limits.low, high: limits.high, holdMs: limits.hold / 1_000, hysteresis: limits.hysteresis)
  }
}

extension Trackme_Sos_V1_Threshold {
  init(_ threshold: Threshold, of metric: Metric, isDefault: Bool) {
    self.init(
      metric: metric.name, rest: threshold.rest.map { .init($0) }, exertion: threshold.exertion.map { .init($0) },
      isDefault: isDefault)
  }
}

extension MetricCatalog {
  /// The scalar metric that a request names; what is wrong with the name is added to the violations.
  func scalar(_ name: String, _ field: String, _ violations: inout Violations) -> Metric? {
    guard let metric = self[name] else {
      violations.add(field, "is not a metric of the registry")
      return nil
    }
    guard metric.kind == .scalar else {
      violations.add(field, "must be a metric of kind SCALAR")
      return nil
    }
    return metric
  }
}

extension Threshold {
  /// The limits of one metric in a request; what is wrong with them is added to the violations.
  /// - Parameter field: the path of the limits, such as "threshold".
  init(_ wire: Trackme_Sos_V1_Threshold, of metric: Metric, _ field: String, _ violations: inout Violations) {
    self.init(
      rest: wire.rest.map { Limits($0, of: metric, "\(field).rest", &violations) },
      exertion: wire.exertion.map { Limits($0, of: metric, "\(field).exertion", &violations) })
  }
}

extension Limits {
  fileprivate init(
    _ wire: Trackme_Sos_V1_Limits, of metric: Metric, _ field: String, _ violations: inout Violations
  ) {
    let before = violations.all.count
    if wire.low == nil, wire.high == nil { violations.add(field, "must have low or high; leave it out for no limits") }
    let range = metric.minimum...metric.maximum
    let problem = "must be \(metric.minimum) to \(metric.maximum) \(metric.unit), as every \(metric.name)"
    // NaN is in no range.
    if let low = wire.low, !range.contains(low) { violations.add("\(field).low", problem) }
    if let high = wire.high, !range.contains(high) { violations.add("\(field).high", problem) }
    if let high = wire.high, high == metric.minimum { violations.add("\(field).high", "must leave values below it") }
    if let low = wire.low, let high = wire.high, low >= high {
      violations.add("\(field).high", "must be above low")
    }
    let maxHoldMs = Self.maxHold / 1_000
    if !(0...maxHoldMs).contains(wire.holdMs) { violations.add("\(field).hold_ms", "must be 0 to 600,000") }
    if !(wire.hysteresis >= 0) {
      violations.add("\(field).hysteresis", "must be 0 or more")
    } else if violations.all.count == before, wire.hysteresis > 0 {
      // A crossing must be able to end.
      let distance = (wire.high ?? metric.maximum) - (wire.low ?? metric.minimum)
      if wire.hysteresis >= distance {
        violations.add("\(field).hysteresis", "must be less than the distance of the limits, \(distance)")
      }
    }
    self.init(
      low: wire.low, high: wire.high, hold: min(max(wire.holdMs, 0), maxHoldMs) * 1_000, hysteresis: wire.hysteresis)
  }
}
