internal import AreaKit
internal import Emergencies
internal import Notifications
internal import SosRules

/// Asks those whom persons have named as contacts whether they want to be told of emergencies. Who has not agreed is told
/// nothing.
///
/// One question after the other: they wait for nobody, and nobody waits for them. A mail goes into the queue, where
/// `MailSender` puts the code in; an SMS goes to the gateway.
struct ContactQuestions: Sendable {
  private let store: ContactStore
  private let gateway: (any Gateway)?
  private let words: ContactWords

  /// - Parameter gateway: for SMS; nil: none can be sent.
  init(store: ContactStore, gateway: (any Gateway)?, words: ContactWords = ContactWords(origin: nil)) {
    self.store = store
    self.gateway = gateway
    self.words = words
  }

  /// Asks everyone whose turn it is.
  /// - Throws: `PostgresError`, `CancellationError`; who has not been asked is asked in the next round.
  func round() async throws {
    while true {
      try Task.checkCancellation()
      let code = ContactCode()
      switch try await store.takeTurn(code: code.hash) {
      case .none: return
      case .done: continue
      case .sms(let question):
        // That nobody knows whether it has arrived counts as asked.
        if case .failed = await send(question, code) { try await store.takeBack(question, code: code.hash) }
      }
    }
  }

  private func send(_ question: ContactQuestion, _ code: ContactCode) async -> DeliveryOutcome {
    guard let gateway else { return .failed("there is no gateway") }
    // The number that was asked, also in an exercise: only its owner can answer.
    let message = GatewayMessage(
      medium: .sms, to: question.phone, text: words.sms(of: question.personName, code),
      key: FileGateway.questionKey(question.person, "\(code.hash[0])\(code.hash[1])\(code.hash[2])", question.number))
    return await withCheckedContinuation { continuation in
      gateway.send(message) { continuation.resume(returning: $0) }
    }
  }
}

/// The words that ask.
struct ContactWords: Sendable {
  /// Of a name: more than this could be a text of its own.
  private static let maxName = 60
  private static let answerDays = ContactRules.answerTime / 86_400_000_000

  /// Where the pages are; nil: whoever answers needs a program.
  let origin: PageOrigin?

  /// In letters that fit into a few SMS.
  func sms(of name: String, _ code: ContactCode) -> String {
    "TrackMe: \(Self.who(name)) has named this number to be told of a medical emergency. Nothing is told unless you "
      + "agree. "
      + (page(code.text).map { "Agree, or refuse for good: \($0) Or do nothing." }
        ?? "Your code: \(code.text). Agree: ConfirmContact. Refuse for good: RefuseContact. Or do nothing.")
  }

  /// A mail's code comes with the stamp of its attempt.
  func mail(_ announcement: Announcement) -> Notice.Words {
    let code = announcement.facts["code"] ?? ""
    let page = page(code)
    let (answer, answerItalian) =
      page == nil
      ? (
        """
        To agree, call ConfirmContact with the code below within \(Self.answerDays) days; to refuse, at any time and for \
        good, RefuseContact. Both are calls of trackme.sos.v1.SosService, and need no account.
        """,
        """
        Per acconsentire, chiama ConfirmContact con il codice qui sotto entro \(Self.answerDays) giorni; per rifiutare, \
        in qualsiasi momento e per sempre, RefuseContact. Sono entrambe chiamate di trackme.sos.v1.SosService e non \
        richiedono un account.
        """
      )
      : (
        """
        To agree within \(Self.answerDays) days, or to refuse at any time and for good, open the address below. You need \
        no account.
        """,
        """
        Per acconsentire entro \(Self.answerDays) giorni, o per rifiutare in qualsiasi momento e per sempre, apri \
        l’indirizzo qui sotto. Non serve un account.
        """
      )
    let name = Self.who(announcement.facts["person_name"])
    let nameItalian = Self.who(announcement.facts["person_name"], otherwise: "Qualcuno")
    return Notice.Words(
      english: (
        "\(name) has named you as an emergency contact",
        """
        \(name) has named this address to be told of a medical emergency.

        Nothing is told to you unless you agree. If you do nothing, you are told nothing.

        \(answer)
        """
      ),
      italian: (
        "\(nameItalian) ti ha indicato come contatto di emergenza",
        """
        \(nameItalian) ha indicato questo indirizzo da avvisare in caso di emergenza medica.

        Senza il tuo consenso non ricevi nulla. Se non fai nulla, non ricevi nulla.

        \(answerItalian)
        """
      ), answer: page ?? code)
  }

  /// Where the code is answered: no server is sent what stands behind "#".
  private func page(_ code: String) -> String? { origin.map { "\($0.text)/contacts/confirm#\(code)" } }

  private static func who(_ name: String?, otherwise: String = "Somebody") -> String {
    Notice.line(name, otherwise: otherwise, max: maxName)
  }
}
