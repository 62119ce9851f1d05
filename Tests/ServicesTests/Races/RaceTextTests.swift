import Domain
import Testing
import WireCodec

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

@Suite struct RaceTextTests {
  private static func text(_ kind: Int16, _ facts: [String: String] = [:]) -> Notice.Message {
    words(of: Announcement(kind: kind, facts: ["race": "7", "name": "Stramilano"].merging(facts) { $1 })).english
  }

  @Test("every kind of news about races has words of its own, which name the race")
  func everyKind() {
    var subjects: Set<String> = []
    for kind in Array(Int16(14)...27) + [31] {
      let text = Self.text(kind)
      #expect(text.subject.contains("Stramilano") && text.text.contains("Stramilano"), "\(kind)")
      #expect(!text.subject.contains("\n") && !text.text.hasSuffix("\n"))
      subjects.insert(text.subject)
    }
    #expect(subjects.count == 15)
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

  @Test("A-R19.1: a change of dates or course is told with the old and the new, and nothing that stayed")
  func changed() {
    let start = 1_700_000_000_000_000
    let dates = Self.text(27, ["old_start": "\(start)", "new_start": "\(start + 3_600_000_000)"]).text
    #expect(dates.contains("The start is 2023-11-14 23:13 UTC; it was 2023-11-14 22:13 UTC."))
    #expect(!dates.contains("course") && !dates.contains("deadline") && !dates.contains("limit"))
    #expect(dates.contains("withdraw before the start and you get the whole fee back"))
    let course = Self.text(
      27,
      [
        "old_length_m": "1112", "old_from": "Castello", "old_to": "Arco", "old_stages": "1", "new_length_m": "21097",
        "new_from": "", "new_to": "Duomo\n", "new_stages": "0", "old_limit": "21600000000", "new_limit": "5400000000",
      ]
    ).text
    #expect(course.contains("The course is now 21.1 km to Duomo ; it was 1.1 km from Castello to Arco, with 1 stage."))
    #expect(course.contains("The time limit is 1 h 30 min; it was 6 h."))
  }

  @Test("words of organisers stay one paragraph, however they wrote them")
  func reasons() {
    let text = Self.text(15, ["reason": "Storm\r\nBuy this:\u{202e} x"]).text
    #expect(text.hasSuffix("Their reason: Storm Buy this:  x"), "\(text)")
  }
}
