import Domain
import SosRules
import Testing

@testable import Emergencies

@Suite("CAP 1.2 messages") struct CAPMessageTests {
  private func message(_ emergency: Emergency, _ kind: CAPMessage.Kind) -> CAPMessage {
    CAPMessage(
      emergency, kind, sender: "trackme@example.org", catalog: Patients.catalog, sent: Patients.now + 5_000_000)
  }

  private func content(_ name: String, in xml: String) -> [String] {
    xml.components(between: "<\(name)>", and: "</\(name)>")
  }

  @Test("the status is Exercise until dispatch is live")
  func status() {
    #expect(content("status", in: message(Patients.emergency(), .alert).xml) == ["Exercise"])
    #expect(content("status", in: message(Patients.emergency(status: .actual), .alert).xml) == ["Actual"])
  }

  @Test("the first message is the incident; updates and the cancel refer to it and have identifiers of their own")
  func references() {
    let emergency = Patients.emergency()
    let id = emergency.id.description
    let kinds: [(CAPMessage.Kind, String, String)] = [
      (.alert, "Alert", id), (.update(1), "Update", "\(id)/update-1"), (.update(2), "Update", "\(id)/update-2"),
      (.cancel, "Cancel", "\(id)/cancel"),
    ]
    for (kind, type, identifier) in kinds {
      let message = message(emergency, kind)
      #expect(message.identifier == identifier)
      #expect(content("identifier", in: message.xml) == [identifier])
      #expect(content("msgType", in: message.xml) == [type])
      #expect(content("incidents", in: message.xml) == [id])
      let reference = "trackme@example.org,\(id),\(CAPMessage.time(emergency.detected))"
      #expect(content("references", in: message.xml) == (kind == .alert ? [] : [reference]))
    }
  }

  @Test("the Alert's time is the one that later messages refer to")
  func timeOfAlert() {
    let emergency = Patients.emergency()
    #expect(content("sent", in: message(emergency, .alert).xml) == [CAPMessage.time(emergency.detected)])
  }

  @Test("the elements come in the order of the schema")
  func order() {
    let xml = message(Patients.emergency(), .update(1)).xml
    let names = [
      "identifier", "sender", "sent", "status", "msgType", "scope", "addresses", "note", "references", "incidents",
      "info",
      "language", "category", "event", "responseType", "urgency", "severity", "certainty", "onset", "senderName",
      "headline", "description", "contact", "parameter", "area", "areaDesc", "circle", "geocode",
    ]
    var rest = xml[...]
    for name in names {
      guard let found = rest.firstRange(of: "<\(name)>") else {
        Issue.record("\(name) is missing, or out of order")
        return
      }
      rest = rest[found.upperBound...]
    }
  }

  @Test("text of others is escaped, and what XML can't hold is left out")
  func escaping() {
    #expect(XMLText.escaped("a<b>&\"c\u{0}\u{1b}\n\u{fffe}é") == "a&lt;b&gt;&amp;&quot;c\né")
  }

  @Test(
    "times are UTC with an offset, as CAP wants them",
    arguments: [
      (0, "1970-01-01T00:00:00-00:00"), (1_790_000_000_999_999, "2026-09-21T14:13:20-00:00"),
      (-1_000_000, "1969-12-31T23:59:59-00:00"),
    ])
  func times(_ time: Microseconds, _ text: String) { #expect(CAPMessage.time(time) == text) }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let from = rest.firstRange(of: start), let to = rest[from.upperBound...].firstRange(of: end) {
      found.append(String(rest[from.upperBound..<to.lowerBound]))
      rest = rest[to.upperBound...]
    }
    return found
  }
}
