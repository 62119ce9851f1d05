import Domain
import Testing
import WireCodec

@testable import Services
@testable import Storage

@Suite struct RaceTextTests {
  private static func text(_ kind: Int16, _ facts: [String: String] = [:]) -> NotificationText {
    NotificationText(Announcement(kind: kind, facts: ["race": "7", "name": "Stramilano"].merging(facts) { $1 }))
  }

  @Test("every kind of news about races has words of its own, which name the race")
  func everyKind() {
    var subjects: Set<String> = []
    for kind in Int16(14)...26 {
      let text = Self.text(kind)
      #expect(text.subject.contains("Stramilano") && text.text.contains("Stramilano"), "\(kind)")
      #expect(!text.subject.contains("\n") && !text.text.hasSuffix("\n"))
      subjects.insert(text.subject)
    }
    #expect(subjects.count == 13)
  }

  @Test("A-R21: a receipt names the amount as people write it")
  func amounts() {
    for (units, currency, wanted) in [
      ("1500", "EUR", "15.00 EUR"), ("5", "EUR", "0.05 EUR"), ("1500", "JPY", "1500 JPY"), ("1500", "KWD", "1.500 KWD"),
    ] {
      let text = Self.text(21, ["minor_units": units, "currency": currency, "payment": "abc"]).text
      #expect(text.contains(" of \(wanted) for the race") && text.hasSuffix("Reference: abc"), "\(text)")
    }
  }

  @Test("a runner's emergency names kilometre, place and number, and nothing else of the runner")
  func emergency() {
    let text = Self.text(25, ["number": "12", "km": "3.2", "place": "Arena"]).text
    #expect(text.contains("the runner with number 12") && text.contains("at kilometre 3.2, near Arena"))
    #expect(!text.contains("Ada"))
    #expect(Self.text(25, ["number": "12"]).text.contains("where is not known"))
  }

  @Test("words of organisers stay one paragraph, however they wrote them")
  func reasons() {
    let text = Self.text(15, ["reason": "Storm\r\nBuy this:\u{202e} x"]).text
    #expect(text.hasSuffix("Their reason: Storm Buy this:  x"), "\(text)")
  }
}
