internal import Metering

/// Lines of the text format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
struct TextFormat {
  private(set) var bytes: [UInt8] = []

  /// What a family is, before its numbers.
  mutating func begin(_ family: MetricFamily) {
    let kind =
      switch family.kind {
      case .counter: "counter"
      case .gauge: "gauge"
      case .histogram: "histogram"
      }
    line("# HELP \(family.name) \(Self.escaped(family.meaning, quotes: false))")
    line("# TYPE \(family.name) \(kind)")
  }

  /// One number.
  mutating func add(_ family: MetricFamily, _ values: [String], _ number: Double) {
    line("\(family.name)\(Self.labels(family, values)) \(Self.text(of: number))")
  }

  /// A histogram.
  /// - Parameter cumulated: as many as bounds, and the count of all.
  mutating func add(
    _ family: MetricFamily, _ values: [String], _ cumulated: [UInt64], upTo bounds: [Double], sum: Double
  ) {
    for (bound, count) in zip(bounds + [.infinity], cumulated) {
      line("\(family.name)_bucket\(Self.labels(family, values, upTo: bound)) \(count)")
    }
    line("\(family.name)_sum\(Self.labels(family, values)) \(Self.text(of: sum))")
    line("\(family.name)_count\(Self.labels(family, values)) \(cumulated.last ?? 0)")
  }

  private mutating func line(_ text: String) { bytes += Array((text + "\n").utf8) }

  private static func labels(_ family: MetricFamily, _ values: [String], upTo bound: Double? = nil) -> String {
    var pairs = zip(family.labels, values).map { "\($0.name)=\"\(escaped($1, quotes: true))\"" }
    if let bound { pairs.append("le=\"\(text(of: bound))\"") }
    return pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
  }

  /// In values of labels quotes are escaped too.
  static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// As Go reads it: whole numbers without a point, as long as a double holds them exactly.
  static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Inf" : "+Inf" }
    if let whole = Int64(exactly: number), abs(whole) <= 1 << 53 { return "\(whole)" }
    return "\(number)"
  }
}
