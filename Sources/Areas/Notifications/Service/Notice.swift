internal import Synchronization

/// A kind of notice: what an inbox entry or a mail of it says, in English and Italian. Never a reading, never a fiscal
/// code; persons are named to the contacts of their own choice only.
package struct Notice: Sendable {
  /// A line, and lines ended by LF, of which the last one is not.
  package typealias Message = (subject: String, text: String)

  /// The same in both languages.
  package struct Words: Sendable {
    package let english: Message
    package let italian: Message
    /// What a mail says once, after both: a code, or an address to open.
    package let answer: String?

    package init(english: Message, italian: Message, answer: String? = nil) {
      self.english = english
      self.italian = italian
      self.answer = answer
    }

    /// Both languages in one mail: nobody has said which one its reader knows.
    package var mail: Message {
      let text = "\(english.text)\n\n— Italiano —\n\n\(italian.text)"
      return ("\(english.subject) / \(italian.subject)", text + (answer.map { "\n\n—\n\n\($0)" } ?? ""))
    }
  }

  /// As `trackme.notifications.v1.NotificationKind`.
  package let kind: Int16
  /// Whether it goes by mail as well, to an account with an address; the database is told when a server starts.
  package let isMailed: Bool
  /// The words, with names as they are now.
  package let words: @Sendable (Announcement) -> Words

  package init(_ kind: Int16, isMailed: Bool, words: @escaping @Sendable (Announcement) -> Words) {
    self.kind = kind
    self.isMailed = isMailed
    self.words = words
  }

  /// A name as one line: control characters are spaces, and it has an end.
  package static func line(_ text: String?, otherwise: String, max: Int) -> String {
    let line = String((text ?? "").map { isControl($0) ? " " : $0 }.prefix(max))
    return line.allSatisfy { $0 == " " } ? otherwise : line
  }

  /// Some lines of somebody else's: what is no letter and no line's end is left out.
  package static func lines(_ text: String, max: Int) -> String {
    String(text.filter { $0 == "\n" || !isControl($0) }.prefix(max))
  }

  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format: true
      default: false
      }
    }
  }
}

/// Every kind of notice that the areas of a server have.
package final class Notices: Sendable {
  private let byKind = Mutex<[Int16: Notice]>([:])
  private let stampsOfMails = Mutex<[MailStamp]>([])
  private let currentFacts = Mutex<[CurrentFact]>([])

  package init() {}

  /// What mails of some kinds get at each attempt.
  var stamps: [MailStamp] { stampsOfMails.withLock { $0 } }

  package func add(_ stamp: MailStamp) { stampsOfMails.withLock { $0.append(stamp) } }

  /// What is looked up when an announcement is read.
  var facts: [CurrentFact] { currentFacts.withLock { $0 } }

  package func add(_ facts: [CurrentFact]) { currentFacts.withLock { $0 += facts } }

  /// Takes kinds of an area; to be called before the first call comes.
  package func add(_ notices: [Notice]) {
    byKind.withLock { byKind in
      for notice in notices {
        precondition(byKind.updateValue(notice, forKey: notice.kind) == nil, "two notices of kind \(notice.kind)")
      }
    }
  }

  /// Every kind.
  var kinds: [(kind: Int16, isMailed: Bool)] {
    byKind.withLock { $0.values.map { ($0.kind, $0.isMailed) } }
  }

  /// What is said of an announcement; of a kind that this server does not know, that there is one.
  package func words(of announcement: Announcement) -> Notice.Words {
    guard let notice = byKind.withLock({ $0[announcement.kind] }) else {
      return Notice.Words(
        english: ("News from TrackMe", "There is news in your TrackMe account."),
        italian: ("Novità da TrackMe", "Ci sono novità nel tuo account TrackMe."))
    }
    return notice.words(announcement)
  }
}
