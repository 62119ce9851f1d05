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
    let (time, timeItalian) = (detected(announcement, "a moment ago"), detected(announcement, "poco fa"))
    let isExercise = isExercise(announcement)
    let call = isExercise ? "Nobody is called for it." : "The emergency service is being called."
    let callItalian = isExercise ? "Per questa non viene chiamato nessuno." : "Si stanno chiamando i soccorsi."
    if isToContact(announcement) {
      let (name, nameItalian) = (person(announcement, "Somebody"), person(announcement, "Qualcuno"))
      return mark(
        announcement,
        (
          "Emergency of \(name)",
          "\(name) has named you as somebody to tell of an emergency. One was detected at \(time). \(call)"
        ),
        (
          "Emergenza di \(nameItalian)",
          """
          \(nameItalian) ti ha indicato come persona da avvisare in caso di emergenza. Ne è stata rilevata una \
          (\(timeItalian)). \(callItalian)
          """
        ))
    }
    return mark(
      announcement,
      (
        "An emergency was detected",
        """
        An emergency of yours was detected at \(time). \(call)

        If you are well, say within 10 minutes that it is a false alarm.
        """
      ),
      (
        "È stata rilevata un’emergenza",
        """
        È stata rilevata una tua emergenza (\(timeItalian)). \(callItalian)

        Se stai bene, segnala entro 10 minuti che è un falso allarme.
        """
      ))
  }

  /// It was cancelled or resolved.
  private static func emergencyOver(_ announcement: Announcement) -> Words {
    let (time, timeItalian) = (detected(announcement, "a moment ago"), detected(announcement, "poco fa"))
    if announcement.facts["cancelled"] == "true" {
      return mark(
        announcement,
        ("Your emergency was cancelled", "The emergency of \(time) was cancelled as a false alarm."),
        (
          "La tua emergenza è stata annullata",
          "L’emergenza (\(timeItalian)) è stata annullata come falso allarme."
        ))
    }
    return mark(
      announcement,
      ("Your emergency is over", "The emergency of \(time) was closed by the emergency service."),
      (
        "La tua emergenza è conclusa",
        "I soccorsi hanno chiuso l’emergenza (\(timeItalian))."
      ))
  }

  /// No heart rate has come.
  private static func silence(_ announcement: Announcement) -> Words {
    let since = line(announcement.facts["since"], otherwise: "a while ago", max: 40)
    let sinceItalian = line(announcement.facts["since"], otherwise: "qualche tempo fa", max: 40)
    if isToContact(announcement) {
      let (name, nameItalian) = (person(announcement, "Somebody"), person(announcement, "Qualcuno"))
      return mark(
        announcement,
        (
          "No heart rate from \(name)",
          """
          No heart rate has come from \(name) since \(since).

          You are named as somebody to tell of that: please look whether all is well.
          """
        ),
        (
          "Nessuna frequenza cardiaca da \(nameItalian)",
          """
          Non arriva più la frequenza cardiaca di \(nameItalian). Inizio dell’interruzione: \(sinceItalian).

          Ti ha indicato come persona da avvisare in questo caso: controlla che vada tutto bene.
          """
        ))
    }
    return mark(
      announcement,
      (
        "No heart rate has come from you",
        """
        No heart rate has come from you since \(since).

        Put your device on, or look whether it works. If you don't wear it, let it say so.
        """
      ),
      (
        "Non arriva la tua frequenza cardiaca",
        """
        Non arriva più la tua frequenza cardiaca. Inizio dell’interruzione: \(sinceItalian).

        Indossa il dispositivo o controlla che funzioni. Se non lo indossi, fa’ in modo che lo segnali.
        """
      ))
  }

  private static func detected(_ announcement: Announcement, _ otherwise: String) -> String {
    line(announcement.facts["detected"], otherwise: otherwise, max: 40)
  }

  /// Whether it is a mail to a contact, which names the person; not what the person gets.
  private static func isToContact(_ announcement: Announcement) -> Bool { announcement.facts["contact"] == "true" }

  /// Whose emergency it is.
  private static func person(_ announcement: Announcement, _ otherwise: String) -> String {
    line(announcement.facts["person_name"], otherwise: otherwise, max: 200)
  }

  private static func isExercise(_ announcement: Announcement) -> Bool { announcement.facts["exercise"] == "true" }

  /// Words that begin with what is most important of an exercise.
  private static func mark(_ announcement: Announcement, _ english: Message, _ italian: Message) -> Words {
    func marked(_ message: Message, _ mark: String) -> Message {
      isExercise(announcement) ? ("\(mark): \(message.subject)", "\(mark).\n\n\(message.text)") : message
    }
    return Words(
      english: marked(english, "EXERCISE, NOT A REAL EMERGENCY"),
      italian: marked(italian, "ESERCITAZIONE, NON È UN’EMERGENZA REALE"))
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
