import Domain
import SosRules
import Testing

@Suite("Numbers of emergencies") struct EmergencyIDTests {
  @Test("the same cause has the same number, another cause another (never doubled)")
  func sameCauseSameNumber() {
    let causes: [(PersonID, UInt16, Microseconds)] = [
      (7, 1, 1_790_000_000_000_000), (8, 1, 1_790_000_000_000_000), (7, 6, 1_790_000_000_000_000),
      (7, 1, 1_790_000_000_000_001), (1_000_000_001, 4_095, 1_790_000_000_000_000), (7, 0, -1),
      ((1 << 54) - 1, 1, (1 << 55) - 1),
    ]
    let ids = causes.map { EmergencyID(person: $0.0, metric: $0.1, began: $0.2) }
    #expect(Set(ids).count == causes.count)
    #expect(ids == causes.map { EmergencyID(person: $0.0, metric: $0.1, began: $0.2) })
  }

  @Test("it is a UUID of version 8 and reads back from its text")
  func text() throws {
    let id = EmergencyID(person: 1_000_000_001, metric: 1, began: 1_790_000_000_123_456)
    let text = Array(id.description)
    #expect(text.count == 36)
    #expect(text[14] == "8")
    #expect("89ab".contains(text[19]))
    #expect(EmergencyID(id.description) == id)
    #expect(EmergencyID(id.description.uppercased()) == id)
  }

  @Test(
    "other texts are no numbers",
    arguments: [
      "", "0", "00000000-0000-8000-8000-00000000000", "00000000-0000-8000-8000-0000000000000",
      "0000000-00000-8000-8000-000000000000", "g0000000-0000-8000-8000-000000000000",
      "+0000000-0000-8000-8000-000000000000", "00000000 0000 8000 8000 000000000000",
    ])
  func otherTexts(_ text: String) {
    #expect(EmergencyID(text) == nil)
  }
}

@Suite("Telephone numbers") struct PhoneNumberTests {
  @Test("E.164 reads back", arguments: ["+393331234567", "+12025550123", "+1234567", "+123456789012345"])
  func valid(_ text: String) { #expect(PhoneNumber(text)?.description == text) }

  @Test(
    "other texts are refused",
    arguments: [
      "", "+", "3933312345", "+0393331234", "+123456", "+1234567890123456", "+39 333 123", "+39333123456a", "112",
      "++1234567",
    ])
  func invalid(_ text: String) { #expect(PhoneNumber(text) == nil) }
}
