internal import Notifications
internal import SosRules
internal import WireCodec

// The words about emergencies, for the person and for the contacts that the person has named.

extension Notice {
  private init(
    _ kind: Trackme_Notifications_V1_NotificationKind, words: @escaping @Sendable (Announcement) -> Words
  ) {
    self.init(Int16(kind.rawValue), isMailed: true, words: words)
  }

  /// What a person, and the person's contacts, are told.
  /// - Parameter contacts: how these are asked.
  static func ofSos(_ contacts: ContactWords) -> [Notice] {
    [
      Notice(.emergency, words: emergency), Notice(.emergencyOver, words: emergencyOver),
      Notice(.silence, words: silence),
      // Mails alone: no inbox has it.
      Notice(ContactStore.mailKind, isMailed: false) { contacts.mail($0) },
    ]
  }

  /// An emergency was detected.
  private static func emergency(_ announcement: Announcement) -> Words {
    let time = line(announcement.facts["detected"], otherwise: "a moment ago", max: 40)
    let call = isExercise(announcement) ? "Nobody is called for it." : "The emergency service is being called."
    if let name = contactsName(announcement) {
      return mark(
        announcement, "Emergency of \(name)",
        """
        \(name) has named you as somebody to tell of an emergency. One was detected at \(time). \(call)
        """)
    }
    return mark(
      announcement, "An emergency was detected",
      """
      An emergency of yours was detected at \(time). \(call)

      If you are well, say within 10 minutes that it is a false alarm.
      """)
  }

  /// It was cancelled or resolved.
  private static func emergencyOver(_ announcement: Announcement) -> Words {
    let time = line(announcement.facts["detected"], otherwise: "a moment ago", max: 40)
    if announcement.facts["cancelled"] == "true" {
      return mark(
        announcement, "Your emergency was cancelled", "The emergency of \(time) was cancelled as a false alarm.")
    }
    return mark(
      announcement, "Your emergency is over", "The emergency of \(time) was closed by the emergency service.")
  }

  /// No heart rate has come.
  private static func silence(_ announcement: Announcement) -> Words {
    let since = line(announcement.facts["since"], otherwise: "a while ago", max: 40)
    if let name = contactsName(announcement) {
      return mark(
        announcement, "No heart rate from \(name)",
        """
        No heart rate has come from \(name) since \(since).

        You are named as somebody to tell of that: please look whether all is well.
        """)
    }
    return mark(
      announcement, "No heart rate has come from you",
      """
      No heart rate has come from you since \(since).

      Put your device on, or look whether it works. If you don't wear it, let it say so.
      """)
  }

  /// Whose emergency it is, in a mail to a contact; nil in what the person gets.
  private static func contactsName(_ announcement: Announcement) -> String? {
    guard announcement.facts["contact"] == "true" else { return nil }
    return line(announcement.facts["person_name"], otherwise: "Somebody", max: 200)
  }

  private static func isExercise(_ announcement: Announcement) -> Bool { announcement.facts["exercise"] == "true" }

  /// Words that begin with what is most important of an exercise.
  private static func mark(_ announcement: Announcement, _ subject: String, _ text: String) -> Words {
    let mark = "EXERCISE, NOT A REAL EMERGENCY"
    return isExercise(announcement) ? ("\(mark): \(subject)", "\(mark).\n\n\(text)") : (subject, text)
  }
}

extension CurrentFact {
  /// Of a mail to a contact: as the person's account is called now.
  static let ofSos = [
    CurrentFact(
      "person_name",
      sql: """
        CASE s.facts ->> 'contact' WHEN 'true' THEN (SELECT p.display_name FROM account p WHERE p.id = n.account) END
        """)
  ]
}
