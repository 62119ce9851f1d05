import SosRules
import Testing

@testable import Emergencies

@Suite("The words of a call") struct CallTextTests {
  private func text(_ emergency: Emergency) -> CallText {
    CallText(emergency, catalog: Patients.catalog, at: Patients.now)
  }

  @Test("it says position with accuracy and age, values, recent vitals, age, sex and whom to call back (B-R.S4)")
  func everything() {
    #expect(
      text(Patients.emergency(status: .actual)).full == """
        Medical emergency: Heart rate 178 /min, at or above 131 for 4 s
        Person: female, 67 years
        Call back: +393331234567
        Position: 45.46421, 9.18951, within 8 m, 12 s old (geo:45.46421,9.18951;u=8)
        Recent vitals: Heart rate 178 /min (1 s ago), Blood oxygen saturation 88.5 % (3 min ago)
        Emergency number there: 112
        Incident: \(Patients.emergency().id)
        """)
  }

  @Test("every text of an exercise begins by saying so, and none of a real call does")
  func exercise() {
    for (status, isExercise) in [(DispatchStatus.exercise, true), (.actual, false)] {
      let text = text(Patients.emergency(status: status))
      let notice = SilenceNotice(
        person: 7, since: 0, at: 600_000_000, cause: .connectionLost, position: nil, contacts: [])
      for words in [
        text.headline, text.full, text.short, text.cancellation, text.forContact(named: "Anna"),
        CallText.silence(notice, status: status),
      ] {
        #expect(words.hasPrefix("EXERCISE, NOT A REAL EMERGENCY. ") == isExercise, "\(words)")
      }
    }
  }

  @Test("a text message is short however much has crossed, in letters of the GSM alphabet, and keeps the incident")
  func short() {
    let many = (0..<40).map { index in
      var crossing = Patients.heartRate
      crossing.value = Double(200 + index)
      return crossing
    }
    let emergency = Patients.emergency(crossings: many)
    let short = text(emergency).short
    #expect(short.utf8.count <= CallText.maxShort)
    #expect(short.utf8.allSatisfy { $0 < 0x80 })
    #expect(short.contains("Heart rate 200 /min"))
    #expect(short.contains("45.46421,9.18951 within 8 m"))
    #expect(short.contains("+393331234567"))
    #expect(short.hasSuffix("Incident \(emergency.id)"))
  }

  @Test("what is not known is said to be not known")
  func unknown() {
    var emergency = Patients.emergency(position: nil, callback: nil)
    emergency.age = nil
    emergency.sex = nil
    emergency.vitals = []
    let full = text(emergency).full
    #expect(full.contains("Person: sex not known, age not known"))
    #expect(full.contains("Call back: no number known"))
    #expect(full.contains("Position: not known"))
    #expect(full.contains("Recent vitals: none"))
  }

  @Test("contacts are told no reading")
  func contacts() {
    let words = text(Patients.emergency(status: .actual)).forContact(named: "Anna")
    #expect(words.contains("Anna"))
    #expect(words.contains("+393331234567"))
    for secret in ["178", "131", "88.5", "Heart", " 67 "] { #expect(!words.contains(secret)) }
  }

  @Test(
    "numbers are written for people",
    arguments: [
      (35.0, 1, "35"), (35.04, 1, "35"), (35.05, 1, "35.1"), (-0.04, 1, "0"), (-9.189_51, 5, "-9.18951"),
      (0.000_01, 5, "0.00001"), (10.050, 3, "10.05"), (.nan, 1, "?"), (.infinity, 1, "?"), (1e300, 1, "?"),
    ])
  func decimals(_ value: Double, _ digits: Int, _ text: String) { #expect(CallText.decimal(value, digits) == text) }
}
