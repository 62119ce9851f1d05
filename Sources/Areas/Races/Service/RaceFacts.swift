internal import Domain
internal import Notifications

/// What is known of an event of a race, as every language writes it.
struct RaceFacts {
  private let facts: [String: String]

  init(_ facts: [String: String]) { self.facts = facts }

  subscript(_ name: String) -> String? { facts[name] }

  /// A fact as one line; nil where it is empty.
  func line(_ name: String, max: Int) -> String? {
    let line = Notice.line(facts[name], otherwise: "", max: max)
    return line.isEmpty ? nil : line
  }

  /// Of a runner.
  var number: String? { facts["number"].flatMap { Int32($0) }.map { "\($0)" } }

  /// How many stages a course has.
  func stages(_ name: String) -> Int64 { facts[name].flatMap { Int64($0) } ?? 0 }

  /// "5.2 km" of metres.
  /// - Parameter point: what stands before decimals in a language.
  func kilometres(_ name: String, point: String) -> String? {
    guard let metres = facts[name].flatMap({ Int64($0) }) else { return nil }
    let tenths = (metres + 50) / 100
    return "\(tenths / 10)\(point)\(tenths % 10) km"
  }

  /// How far a runner is: "3.2".
  func kilometre(point: String) -> String? {
    facts["km"].map { Notice.line($0, otherwise: "?", max: 10).split(separator: ".").joined(separator: point) }
  }

  /// "6 h 30 min" of microseconds.
  func hours(_ name: String) -> String? {
    guard let time = facts[name].flatMap({ Int64($0) }) else { return nil }
    let (hours, minutes) = (time / 3_600_000_000, time / 60_000_000 % 60)
    return [hours > 0 ? "\(hours) h" : nil, minutes > 0 || hours == 0 ? "\(minutes) min" : nil]
      .compactMap(\.self).joined(separator: " ")
  }

  /// "15.00 EUR" of 1500 minor units.
  func amount(point: String) -> String? {
    guard let units = facts["minor_units"].flatMap({ Int64($0) }), let currency = facts["currency"] else { return nil }
    let name = Notice.line(currency, otherwise: "", max: 3)
    let digits = Self.currencyDigits[name] ?? 2
    guard digits > 0 else { return "\(units) \(name)" }
    let text = String(repeating: "0", count: max(0, digits + 1 - "\(units)".count)) + "\(units)"
    return "\(text.dropLast(digits))\(point)\(text.suffix(digits)) \(name)"
  }

  /// How many digits follow the point, where it is not two (ISO 4217, list one).
  private static let currencyDigits = [
    "BHD": 3, "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "IQD": 3, "ISK": 0, "JOD": 3, "JPY": 0, "KMF": 0, "KRW": 0,
    "KWD": 3, "LYD": 3, "OMR": 3, "PYG": 0, "RWF": 0, "TND": 3, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0,
    "XPF": 0,
  ]

  /// "2026-11-22 04:00 UTC" of microseconds since the Unix epoch, or of a time as PostgreSQL writes it.
  func day(_ name: String, _ otherwise: String) -> String {
    guard let text = facts[name] else { return otherwise }
    guard let time = Int64(text) else { return Notice.line(text, otherwise: otherwise, max: 40) }
    let minutes = time.quotientAndRemainder(dividingBy: 60_000_000).quotient
    guard let date = CalendarDate(utc: time) else { return otherwise }
    let (hour, minute) = (minutes / 60 % 24, minutes % 60)
    return "\(date.text) \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute) UTC"
  }
}
