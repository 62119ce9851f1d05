internal import Log
internal import SosRules
internal import WireCodec

// Emergencies in words, for people at a terminal.

extension Double {
  /// With so many digits behind the point, and no zeros at the end.
  func rounded(to digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let value = (self * scale).rounded() / scale
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}

extension Trackme_Sos_V1_DispatchStatus {
  var label: String {
    switch self {
    case .exercise: "EXERCISE"
    case .actual: "ACTUAL"
    default: "UNKNOWN"
    }
  }
}

extension Trackme_Sos_V1_AnswerKind {
  var label: String {
    switch self {
    case .accepted: "ACCEPTED"
    case .refused: "REFUSED"
    case .enRoute: "EN_ROUTE"
    case .resolved: "RESOLVED"
    case .falseAlarm: "FALSE_ALARM"
    default: "UNKNOWN"
    }
  }
}

extension Trackme_Sos_V1_Vital {
  var text: String { "\(metric) \(value.rounded(to: 2)) \(unit)" }
}

extension Trackme_Sos_V1_Crossing {
  var text: String {
    let held = "held for \((Double(holdMs) / 1_000).rounded(to: 1)) s"
    let exertion = duringExertion ? ", in exertion" : ""
    let unit = readings.first { $0.metric == metric }.map { " " + $0.unit } ?? ""
    switch kind {
    case .low: return "LOW \(metric) \(value.rounded(to: 2))\(unit), below \(limit.rounded(to: 2)), \(held)\(exertion)"
    case .high:
      return "HIGH \(metric) \(value.rounded(to: 2))\(unit), limit \(limit.rounded(to: 2)), \(held)\(exertion)"
    case .score: return "NEWS2 score \(value.rounded(to: 0)), limit \(limit.rounded(to: 0)), \(held)"
    case .silence: return "SILENCE no heart rate for \(value.rounded(to: 0)) min (\(silenceCause))"
    default: return "crossing \(kind.rawValue)"
    }
  }
}

extension Trackme_Sos_V1_Emergency {
  var positionText: String {
    guard let position else { return "position unknown" }
    let age = Double(wallClock() - position.timeUs) / 1e6
    let accuracy = position.accuracyM > 0 ? " ± \(position.accuracyM.rounded(to: 0)) m" : ""
    return "position \(position.latitude.rounded(to: 5)), \(position.longitude.rounded(to: 5))\(accuracy), "
      + "\(age.rounded(to: 0)) s old"
  }

  var personText: String {
    let facts = [
      "person \(personID)", age >= 0 ? "\(age) years" : "", sex,
      callbackNumber.isEmpty ? "no number to call back" : "call back \(callbackNumber)",
    ]
    return facts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
