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

/// Notices say the same in English and Italian.
@Suite struct LanguageTests {
  private static let named = [
    "name": "Stramilano", "third_party_name": "Dr. Rossi", "person_name": "Ada Bianchi", "username": "ada.b",
    "reason": "Grandine", "message": "Scusate", "place": "Arena", "old_from": "Castello", "new_to": "Duomo",
    "payment": "abc-987",
  ]
  private static let numbered = [
    "race": "7", "number": "12", "km": "3.2", "minor_units": "1550", "currency": "EUR",
    "begins": "2026-11-22T04:00:00+00:00", "ends": "2026-11-23T05:00:00+00:00", "detected": "2026-11-21 07:33 UTC",
    "since": "2026-11-21 07:20 UTC", "until": "1700000000000000", "code": "0123-4567", "old_start": "1700000000000000",
    "new_start": "1700100000000000", "old_deadline": "1690000000000000", "new_deadline": "1690100000000000",
    "old_limit": "21600000000", "new_limit": "5400000000", "old_length_m": "1112", "new_length_m": "21097",
    "old_stages": "1", "new_stages": "3",
  ]
  /// What chooses between sentences.
  private static let choices: [[String: String]] = [
    [:], ["contact": "true"], ["exercise": "true"], ["contact": "true", "exercise": "true"], ["cancelled": "true"],
    ["linked": "true"], ["is_unanswered": "true"], ["is_to_third_party": "true"],
    ["is_unanswered": "true", "is_to_third_party": "true"], ["wish": "refund"], ["organizer": "true"],
    ["organizer": "true", "wish": "refund"], ["place": "kept"],
  ]

  private static func numbers(_ text: String) -> Set<Substring> {
    Set(text.split { !$0.isNumber })
  }

  @Test("every kind says the same in both languages, with the same names and numbers", arguments: everyKind)
  func sameInBoth(_ kind: Int16) {
    for choice in Self.choices {
      for facts in [[:], Self.named, Self.numbered, Self.named.merging(Self.numbered) { one, _ in one }] {
        let words = words(
          of: Announcement(kind: kind, accessRequest: 42, device: 43, facts: facts.merging(choice) { $1 }))
        for (english, italian) in [
          (words.english.subject, words.italian.subject), (words.english.text, words.italian.text),
        ] {
          #expect(!english.isEmpty && !italian.isEmpty && english != italian)
          #expect(Self.numbers(english) == Self.numbers(italian), "\(english)\n\(italian)")
          for name in Self.named.values {
            #expect(english.contains(name) == italian.contains(name), "\(name): \(english)\n\(italian)")
          }
        }
        #expect(!words.italian.subject.contains("\n") && !words.italian.text.hasSuffix("\n"))
      }
    }
  }

  @Test("nothing of one language stands in the other where names are not known", arguments: everyKind)
  func unmixed(_ kind: Int16) {
    for choice in Self.choices {
      let words = words(of: Announcement(kind: kind, facts: choice))
      let italian = words.italian.subject + " " + words.italian.text
      for word in ["the", "of", "number", "Somebody", "somebody", "third", "ago", "was", "is"] {
        #expect(!italian.split { !$0.isLetter }.contains { $0 == word }, "\(word): \(italian)")
      }
      let english = words.english.subject + " " + words.english.text
      for word in ["il", "di", "numero", "Qualcuno", "terza", "fa", "è"] {
        #expect(!english.split { !$0.isLetter }.contains { $0 == word }, "\(word): \(english)")
      }
    }
  }

  @Test("a mail says it in both languages, and a code or an address once")
  func mail() {
    let words = words(of: Announcement(kind: 1))
    #expect(words.mail.subject == "Welcome to TrackMe / Ti diamo il benvenuto su TrackMe")
    #expect(words.mail.text == words.english.text + "\n\n— Italiano —\n\n" + words.italian.text)
    for origin in [nil, PageOrigin("https://t.example")] {
      let code = "0123-4567-89ab-cdef"
      let mail = ContactWords(origin: origin).mail(Announcement(kind: 0, facts: ["code": code])).mail
      #expect(mail.text.split(separator: "\n").last?.hasSuffix(code) == true)
      #expect(mail.text.split(separator: code, omittingEmptySubsequences: false).count == 2)
    }
  }

  @Test("Italian has a comma before decimals")
  func decimals() {
    func italian(_ kind: Int16) -> String { words(of: Announcement(kind: kind, facts: Self.numbered)).italian.text }
    #expect(italian(21).contains("Il tuo pagamento di 15,50 EUR per la gara numero 7"))
    #expect(italian(25).contains("del concorrente con il numero 12 nella gara numero 7 al chilometro 3,2."))
    #expect(italian(27).contains("Il percorso ora è di 21,1 km, con 3 tappe; era di 1,1 km, con 1 tappa."))
  }

  @Test("an exercise says so first in Italian too", arguments: [11, 12, 13] as [Int16])
  func exercise(_ kind: Int16) {
    for contact in ["true", "false"] {
      let italian = words(of: .init(kind: kind, facts: ["exercise": "true", "contact": contact])).italian
      #expect(italian.subject.hasPrefix("ESERCITAZIONE, NON È UN’EMERGENZA REALE: "))
      #expect(italian.text.hasPrefix("ESERCITAZIONE, NON È UN’EMERGENZA REALE.\n\n"))
      #expect(!italian.text.contains("chiamando i soccorsi"))
    }
  }
}
