public import Domain
public import SosRules

/// The words of a call for the people who take it. English.
public struct CallText: Sendable {
  /// The most characters of a text message: three concatenated ones of the GSM alphabet.
  static let maxShort = 459

  private let emergency: Emergency
  private let catalog: MetricCatalog
  private let now: Microseconds

  /// - Parameters:
  ///   - catalog: names and units of metrics.
  ///   - now: the server's time, by which ages are told.
  public init(_ emergency: Emergency, catalog: MetricCatalog, at now: Microseconds) {
    self.emergency = emergency
    self.catalog = catalog
    self.now = now
  }

  /// One line that says what it is.
  public var headline: String {
    prefix + "Medical emergency: " + (emergency.crossings.first.map(words) ?? "detected by a wearable")
  }

  /// Everything, line by line.
  public var full: String {
    var lines = [headline]
    for crossing in emergency.crossings.dropFirst() { lines.append("Also: \(words(crossing))") }
    if let repetition = emergency.repetition { lines.append("Note: \(repetition)") }
    lines.append("Person: \(person)")
    lines.append("Call back: \(emergency.callbackNumber?.description ?? "no number known")")
    lines.append("Position: \(position(isShort: false))")
    let vitals = emergency.vitals.map { "\(value($0)) (\(Self.age(now - $0.time)) ago)" }
    lines.append("Recent vitals: \(vitals.isEmpty ? "none" : vitals.joined(separator: ", "))")
    lines.append("Emergency number there: \(emergency.number)")
    lines.append("Incident: \(emergency.id)")
    return lines.joined(separator: "\n")
  }

  /// The same in at most 459 characters of the GSM alphabet: the most important first.
  public var short: String {
    var text = "\(headline). \(person), \(position(isShort: true))."
    if let number = emergency.callbackNumber { text += " Call back \(number)." }
    let incident = " Incident \(emergency.id)"
    var rest = emergency.crossings.dropFirst().map { " Also \(words($0))." }
    rest += emergency.vitals.map { " \(value($0)) \(Self.age(now - $0.time)) ago." }
    for part in rest where text.utf8.count + part.utf8.count + incident.utf8.count <= Self.maxShort { text += part }
    return String(text.prefix(Self.maxShort - incident.count)) + incident
  }

  /// That the person says it was a false alarm.
  public var cancellation: String { "\(prefix)Cancelled, a false alarm. Incident \(emergency.id)" }

  /// That it was closed.
  public var resolved: String { "\(prefix)Resolved: nothing is left to do. Incident \(emergency.id)" }

  /// That another dispatcher has the call.
  public var takenByAnother: String { "\(prefix)Another dispatcher has taken the call. Incident \(emergency.id)" }

  /// What contacts are told when it was a false alarm.
  public func cancellation(named name: String) -> String {
    "\(prefix)\(name), the emergency that TrackMe has told you of was a false alarm."
  }

  /// What contacts are told: no reading.
  public func forContact(named name: String) -> String {
    let called =
      emergency.status == .actual
      ? "The emergency service is being called." : "This is an exercise: the emergency service is not called."
    return prefix + "\(name), TrackMe has detected a medical emergency of somebody whose contact you are. \(called) "
      + "\(position(isShort: true)). \(emergency.callbackNumber.map { "Call back \($0)." } ?? "")"
  }

  /// What contacts are told of a silence.
  public static func silence(_ notice: SilenceNotice, status: DispatchStatus) -> String {
    let prefix = status == .exercise ? exercise : ""
    return prefix + "TrackMe has received no heart rate of somebody whose contact you are for "
      + "\(age(notice.at - notice.since)): \(cause(notice.cause)). Please ask whether all is well."
  }

  private static let exercise = "EXERCISE, NOT A REAL EMERGENCY. "
  private var prefix: String { emergency.status == .exercise ? Self.exercise : "" }

  private var person: String {
    let age = emergency.age.map { "\($0) years" } ?? "age not known"
    return "\(emergency.sex?.rawValue ?? "sex not known"), \(age)"
  }

  private func position(isShort: Bool) -> String {
    guard let position = emergency.position else { return isShort ? "position not known" : "not known" }
    let (latitude, longitude) = (Self.decimal(position.latitude, 5), Self.decimal(position.longitude, 5))
    let accuracy = position.accuracy.map { "within \(Self.decimal($0, 0)) m" } ?? "accuracy not known"
    let age = "\(Self.age(now - position.time)) old"
    if isShort { return "at \(latitude),\(longitude) \(accuracy), \(age)" }
    let uncertainty = position.accuracy.map { ";u=\(Self.decimal($0, 0))" } ?? ""
    return "\(latitude), \(longitude), \(accuracy), \(age) (geo:\(latitude),\(longitude)\(uncertainty))"
  }

  /// A crossing in words.
  func words(_ crossing: Crossing) -> String {
    let began = Self.age(emergency.changed - crossing.began)
    switch crossing.kind {
    case .low, .high:
      let side = crossing.kind == .low ? "below" : "at or above"
      return "\(value(crossing.metric, crossing.value)), \(side) \(Self.decimal(crossing.limit, 1)) for \(began)"
    case .score: return "NEWS2 score \(Self.decimal(crossing.value, 0)), at or above \(Self.decimal(crossing.limit, 0))"
    case .silence:
      return
        "no heart rate for \(Self.decimal(crossing.value, 0)) minutes: \(Self.cause(crossing.silenceCause ?? .unknown))"
    }
  }

  private func value(_ vital: Vital) -> String { value(vital.metric, vital.value) }

  private func value(_ metric: MetricID, _ value: Double) -> String {
    let described = catalog[metric]
    return
      "\(described?.displayName ?? "Metric \(metric)") \(Self.decimal(value, 1)) \(Self.unit(described?.unit ?? ""))"
  }

  /// A UCUM code as people write it, in letters of the GSM alphabet.
  static func unit(_ code: String) -> String {
    switch code {
    case "mm[Hg]": "mmHg"
    case "Cel": "C"
    default: code.filter { !"{}[]".contains($0) }
    }
  }

  private static func cause(_ cause: SilenceCause) -> String {
    switch cause {
    case .unknown: "the cause is not known"
    case .lowBattery: "its battery was low"
    case .streamClosed: "the device was switched off"
    case .connectionLost: "the connection was lost"
    case .stoppedMoving: "and the position has stopped moving"
    }
  }

  /// A time in words: "12 s", "3 min", "2 h", "4 days".
  static func age(_ age: Microseconds) -> String {
    let seconds = max(0, age) / 1_000_000
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7_200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) days"
    }
  }

  /// A number with at most so many digits after the point, without zeros at the end.
  static func decimal(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int64((abs(value) * scale).rounded())
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
    var text = "\(whole)"
    if rest > 0 {
      let fraction = String(rest)
      var padded = String(repeating: "0", count: digits - fraction.utf8.count) + fraction
      while padded.hasSuffix("0") { padded.removeLast() }
      text += ".\(padded)"
    }
    return value < 0 && scaled != 0 ? "-" + text : text
  }
}
