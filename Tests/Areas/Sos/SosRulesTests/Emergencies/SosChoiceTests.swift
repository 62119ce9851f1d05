import SosRules
import Testing

@Suite struct SosChoiceTests {
  @Test("A-R14, B-UC.1: a choice at registration counts at every age; without one it is on from 60 years on")
  func choice() {
    for age in [0, 15, 16, 30, 59, 60, 61, 70, 130] {
      #expect(SosSettings.isOnFromRegistration(choice: true, age: age))
      #expect(!SosSettings.isOnFromRegistration(choice: false, age: age))
      #expect(SosSettings.isOnFromRegistration(choice: nil, age: age) == (age >= 60), "\(age)")
    }
  }
}
