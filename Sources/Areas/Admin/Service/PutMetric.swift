internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// Adds a metric, or changes how a known one is shown and what range it has; its kind and unit stay, because readings
  /// have been stored by them. Other servers know of it within two seconds.
  /// - Throws: INVALID_ARGUMENT; RESOURCE_EXHAUSTED with reason TOO_MANY_METRICS.
  public func putMetric(
    _ request: Trackme_Admin_V1_PutMetricRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_PutMetricResponse {
    guard let wire = request.metric else {
      throw RPCStatus.invalidArgument(field: "metric", problem: "must be there")
    }
    let metric = try Self.metric(wire)
    switch try await metrics.put(metric) {
    case .put(let metric): return .init(metric: .init(metric))
    case .differs(let kind, let unit):
      var violations = Violations()
      if kind != metric.kind { violations.add("metric.kind", "must be \(kind.rawValue), as it was registered") }
      if unit != metric.unit { violations.add("metric.unit", "must be \"\(unit)\", as it was registered") }
      throw RPCStatus.invalidArgument(violations: violations.all)
    case .full:
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_METRICS", message: "every number of a metric is given away")
    }
  }

  /// - Throws: INVALID_ARGUMENT with everything that is wrong.
  private static func metric(_ wire: Trackme_Readings_V1_Metric) throws -> Metric {
    var violations = Violations()
    if !isName(wire.name) {
      violations.add(
        "metric.name", "must be a lower-case letter, then lower-case letters, digits and underscores, at most 63")
    }
    let kind = MetricKind(wire.kind)
    if kind == nil { violations.add("metric.kind", "must be a kind of metric") }
    violations.add("metric.display_name", PlainText.problem(wire.displayName, length: 1...100))
    if !isCode(wire.unit, length: 1...40) {
      violations.add("metric.unit", "must be a UCUM code: 1 to 40 ASCII characters without spaces")
    }
    if !isCode(wire.loincCode, length: 0...20) {
      violations.add("metric.loinc_code", "must be a LOINC code or empty: at most 20 ASCII characters without spaces")
    }
    if !wire.minimum.isFinite { violations.add("metric.minimum", "must be a number") }
    if !wire.maximum.isFinite {
      violations.add("metric.maximum", "must be a number")
    } else if wire.maximum < wire.minimum {
      violations.add("metric.maximum", "must not be less than minimum")
    }
    if wire.zeroIsNoValue, kind == .waveform {
      violations.add("metric.zero_is_no_value", "must be false for a waveform: its samples may be 0")
    }
    guard violations.isEmpty, let kind else { throw RPCStatus.invalidArgument(violations: violations.all) }
    return Metric(
      id: 0, name: wire.name, displayName: wire.displayName, kind: kind, unit: wire.unit, loincCode: wire.loincCode,
      minimum: wire.minimum, maximum: wire.maximum, zeroIsNoValue: wire.zeroIsNoValue)
  }

  private static func isName(_ text: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard 1...63 ~= text.utf8.count, let first = text.utf8.first, letters ~= first else { return false }
    return text.utf8.allSatisfy {
      letters ~= $0 || (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 || $0 == UInt8(ascii: "_")
    }
  }

  private static func isCode(_ text: String, length: ClosedRange<Int>) -> Bool {
    length ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }
}

extension MetricKind {
  init?(_ kind: Trackme_Readings_V1_MetricKind) {
    switch kind {
    case .scalar: self = .scalar
    case .position: self = .position
    case .waveform: self = .waveform
    case .unspecified, .unrecognized: return nil
    }
  }
}
