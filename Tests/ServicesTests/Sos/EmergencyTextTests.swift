import Testing

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// The words in which persons and their contacts are told of emergencies.
@Suite struct EmergencyTextTests {
  private static let id = "018bcfe5-6800-8001-8000-0000003b9aca"

  private func text(
    _ kind: Int16, contact: Bool = false, exercise: Bool = false, more: [String: String] = [:]
  ) -> Notice.Message {
    var facts = ["emergency": Self.id, "exercise": "\(exercise)", "detected": "2026-11-21 07:33 UTC"]
    if contact { facts.merge(["contact": "true", "person_name": "Ada Rossi"]) { _, new in new } }
    return words(of: Announcement(kind: kind, facts: facts.merging(more) { _, more in more })).english
  }

  @Test("every text of an exercise says so first", arguments: [11, 12, 13] as [Int16])
  func exercise(_ kind: Int16) {
    for contact in [false, true] {
      let text = text(kind, contact: contact, exercise: true)
      #expect(text.subject.hasPrefix("EXERCISE, NOT A REAL EMERGENCY: "))
      #expect(text.text.hasPrefix("EXERCISE, NOT A REAL EMERGENCY.\n\n"))
      let real = self.text(kind, contact: contact)
      #expect(!real.subject.contains("EXERCISE") && !real.text.lowercased().contains("exercise"))
    }
    #expect(!text(11, exercise: true).text.contains("is being called") && text(11).text.contains("is being called"))
  }

  @Test("contacts learn who it is, the person is told what to do")
  func contacts() {
    #expect(text(11, contact: true).subject == "Emergency of Ada Rossi")
    #expect(text(11, contact: true).text.contains("2026-11-21 07:33 UTC"))
    #expect(!text(11).text.contains("Ada") && text(11).text.contains("within 10 minutes"))
    let silence = text(13, contact: true, more: ["since": "2026-11-21 07:20 UTC"])
    #expect(silence.text.contains("from Ada Rossi since 2026-11-21 07:20 UTC"))
    // A name that was erased meanwhile, or one that would begin a line.
    let hostile = words(of: .init(kind: 11, facts: ["contact": "true", "person_name": "Ada\r\nBcc: x@y"])).english
    #expect(hostile.subject == "Emergency of Ada Bcc: x@y")
    #expect(words(of: .init(kind: 11, facts: ["contact": "true"])).english.subject == "Emergency of Somebody")
  }

  @Test("the end says whether it was a false alarm")
  func over() {
    #expect(text(12, more: ["cancelled": "true"]).text.contains("false alarm"))
    #expect(text(12, more: ["cancelled": "false"]).text.contains("closed by the emergency service"))
  }
}
