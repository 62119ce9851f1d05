public import Domain
public import SosRules

/// A message of the Common Alerting Protocol 1.2 (OASIS, 1 July 2010): what a dispatcher's webhook gets.
///
/// The first message about an emergency is an Alert whose identifier is the emergency's number; news are Updates, a false
/// alarm a Cancel, with identifiers of their own and a reference to the Alert. All name the emergency as their incident.
public struct CAPMessage: Sendable {
  public static let contentType = "application/cap+xml"

  /// What a message does.
  public enum Kind: Sendable, Equatable {
    case alert
    /// The number counts the updates of one emergency, from 1.
    case update(Int)
    /// It was a false alarm.
    case cancel
    /// Another dispatcher has taken the call: for this one it is cancelled.
    case taken
  }

  private let emergency: Emergency
  private let kind: Kind
  private let sender: String
  private let text: CallText
  private let catalog: MetricCatalog
  private let sent: Microseconds

  /// - Parameters:
  ///   - sender: names this server; what CAP does not allow in a sender is left out.
  ///   - catalog: names and units of metrics.
  ///   - sent: the server's time; an Alert bears the time of the detection.
  public init(_ emergency: Emergency, _ kind: Kind, sender: String, catalog: MetricCatalog, sent: Microseconds) {
    self.emergency = emergency
    self.kind = kind
    self.sender = String(sender.unicodeScalars.filter { !" ,<&".unicodeScalars.contains($0) && $0.value > 0x20 })
    self.catalog = catalog
    self.sent = sent
    text = CallText(emergency, catalog: catalog, at: sent)
  }

  /// Unique among messages, and the same when one is sent again: the idempotency key.
  public var identifier: String {
    switch kind {
    case .alert: emergency.id.description
    case .update(let number): "\(emergency.id)/update-\(number)"
    case .cancel, .taken: "\(emergency.id)/cancel"
    }
  }

  /// The document, in the order of elements that the schema asks for.
  public var xml: String {
    var xml = XMLText()
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<alert xmlns=\"urn:oasis:names:tc:emergency:cap:1.2\">\n")
    xml.element("identifier", identifier)
    xml.element("sender", sender)
    // An Alert that is sent again is the same Alert, and later messages refer to it by this time.
    xml.element("sent", Self.time(kind == .alert ? emergency.detected : sent))
    xml.element("status", emergency.status == .actual ? "Actual" : "Exercise")
    xml.element("msgType", messageType)
    xml.element("scope", "Private")
    xml.element("addresses", "dispatcher")
    if emergency.status == .exercise { xml.element("note", "An exercise: no real emergency.") }
    if kind != .alert { xml.element("references", "\(sender),\(emergency.id),\(Self.time(emergency.detected))") }
    xml.element("incidents", emergency.id.description)
    info(&xml)
    xml.raw("</alert>\n")
    return xml.text
  }

  private var isCancel: Bool { kind == .cancel || kind == .taken }

  private var messageType: String {
    switch kind {
    case .alert: "Alert"
    case .update: "Update"
    case .cancel, .taken: "Cancel"
    }
  }

  private func info(_ xml: inout XMLText) {
    xml.raw("<info>\n")
    xml.element("language", "en-US")
    xml.element("category", "Health")
    xml.element("event", "Medical emergency")
    xml.element("responseType", isCancel ? "AllClear" : "Execute")
    xml.element("urgency", isCancel ? "Past" : "Immediate")
    xml.element("severity", isCancel ? "Unknown" : "Extreme")
    xml.element("certainty", "Observed")
    xml.element("onset", Self.time(emergency.crossings.first?.began ?? emergency.detected))
    xml.element("senderName", "TrackMe AutomatedSOS")
    xml.element("headline", isCancel ? farewell : text.headline)
    xml.element("description", isCancel ? farewell : text.full)
    if let number = emergency.callbackNumber { xml.element("contact", number.description) }
    parameters(&xml)
    area(&xml)
    xml.raw("</info>\n")
  }

  private var farewell: String { kind == .taken ? text.takenByAnother : text.cancellation }

  private func parameters(_ xml: inout XMLText) {
    xml.parameter("emergencyNumber", emergency.number)
    if let age = emergency.age { xml.parameter("age", "\(age)") }
    if let sex = emergency.sex { xml.parameter("sex", sex.rawValue) }
    for crossing in emergency.crossings {
      xml.parameter("crossing", text.words(crossing))
      xml.parameter("ruleVersion", crossing.ruleVersion)
    }
    for vital in emergency.vitals {
      let metric = catalog[vital.metric]
      xml.parameter(
        metric?.name ?? "metric_\(vital.metric)",
        "\(CallText.decimal(vital.value, 2)) \(metric?.unit ?? "") \(Self.time(vital.time))")
    }
    if let position = emergency.position { xml.parameter("positionTime", Self.time(position.time)) }
  }

  private func area(_ xml: inout XMLText) {
    xml.raw("<area>\n")
    if let position = emergency.position {
      let kilometres = CallText.decimal((position.accuracy ?? 0) / 1_000, 3)
      let (latitude, longitude) = (CallText.decimal(position.latitude, 6), CallText.decimal(position.longitude, 6))
      xml.element("areaDesc", "The person's last position")
      xml.element("circle", "\(latitude),\(longitude) \(kilometres)")
      if !emergency.country.isEmpty { xml.geocode("ISO 3166-1", emergency.country) }
    } else {
      xml.element("areaDesc", "Position not known")
    }
    xml.raw("</area>\n")
  }

  /// As CAP writes a time of UTC: "2026-11-21T08:15:30-00:00", never with a Z.
  static func time(_ time: Microseconds) -> String {
    let day: Microseconds = 86_400_000_000
    let date = CalendarDate(utc: time)?.text ?? "1970-01-01"
    let seconds = Int((time % day + day) % day / 1_000_000)
    let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(date)T\(parts.joined(separator: ":"))-00:00"
  }
}

/// XML as it grows.
struct XMLText {
  private(set) var text = ""

  mutating func raw(_ xml: String) { text += xml }

  mutating func element(_ name: String, _ content: String) {
    text += "<\(name)>\(Self.escaped(content))</\(name)>\n"
  }

  mutating func parameter(_ name: String, _ value: String) { pair("parameter", name, value) }
  mutating func geocode(_ name: String, _ value: String) { pair("geocode", name, value) }

  private mutating func pair(_ element: String, _ name: String, _ value: String) {
    text += "<\(element)><valueName>\(Self.escaped(name))</valueName>"
    text += "<value>\(Self.escaped(value))</value></\(element)>\n"
  }

  /// What XML 1.0 does not allow is left out.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff: break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
