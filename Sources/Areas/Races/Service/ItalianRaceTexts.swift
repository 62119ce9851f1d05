internal import Notifications
internal import WireCodec

/// What is said of an event of a race, in Italian.
struct ItalianRaceTexts {
  private let facts: RaceFacts
  private let name: String

  init(_ facts: RaceFacts) {
    self.facts = facts
    name = facts.line("name", max: 100) ?? facts["race"].map { "numero \($0)" } ?? "che ti riguarda"
  }

  func message(_ kind: Trackme_Notifications_V1_NotificationKind) -> Notice.Message {
    switch kind {
    case .racePostponed:
      (
        "La gara \(name) è stata rinviata",
        """
        La gara \(name) è stata spostata. Nuova partenza: \(facts.day("new_start", "più tardi")). Partenza \
        precedente: \(facts.day("old_start", "quella stabilita")).

        Anche il termine delle iscrizioni si sposta di altrettanto. La tua iscrizione resta valida; se il nuovo orario non \
        ti va bene, puoi rinunciare al posto.
        """
      )
    case .raceCancelled:
      (
        "La gara \(name) è stata annullata",
        "La gara \(name) è stata annullata dagli organizzatori. Le quote pagate vengono rimborsate." + because
      )
    case .raceInvited:
      (
        "Hai ricevuto l’invito alla gara \(name)",
        """
        Hai ricevuto l’invito a correre \(name), una gara a inviti.

        Per iscriverti apri il link privato che ti danno gli organizzatori.
        """
      )
    case .raceOrganizerAdded:
      ("Organizzi la gara \(name)", "Ora sei tra gli organizzatori della gara \(name): puoi gestirla.")
    case .racePlace:
      (
        "Hai un posto nella gara \(name)",
        "La tua iscrizione alla gara \(name) è confermata." + (facts.number.map { "\n\nIl tuo numero è \($0)." } ?? "")
      )
    case .racePaymentDue:
      (
        "Un posto nella gara \(name) aspetta il tuo pagamento",
        """
        Un posto nella gara \(name) è tuo se paghi la quota\(amount) in tempo. Termine: \
        \(facts.day("until", "quello indicato nella tua iscrizione")).

        Come pagare è indicato nella tua iscrizione.
        """
      )
    case .racePlaceLost:
      (
        "Il tuo posto nella gara \(name) è andato ad altri",
        "La quota della gara \(name) non è stata pagata in tempo: il posto riservato per te è andato ad altri."
      )
    case .raceReceipt:
      (
        "Ricevuta: la quota della gara \(name)",
        "Il tuo pagamento\(amount) per la gara \(name) è stato ricevuto." + reference
      )
    case .raceRefund:
      (
        "La quota della gara \(name) è stata rimborsata",
        "Il tuo pagamento\(amount) per la gara \(name) è stato rimborsato." + reference
      )
    case .racePaymentFailed: paymentFailed
    case .raceDisqualified:
      (
        "Ti hanno squalificato nella gara \(name)",
        "Gli organizzatori della gara \(name) ti hanno squalificato." + because
      )
    case .raceReinstated:
      (
        "La tua squalifica nella gara \(name) è stata revocata",
        "Gli organizzatori della gara \(name) hanno revocato la tua squalifica." + because
      )
    case .raceChanged: ("La gara \(name) è cambiata", changed)
    case .raceDisabled:
      (
        "La gara \(name) è stata disattivata",
        """
        Un amministratore di TrackMe ha disattivato la gara \(name), che organizzi. Finché non viene riattivata nessun altro \
        la vede, nessuno può seguirla e non ci si può fare nulla.
        """ + because
      )
    case .raceEnabled:
      (
        "La gara \(name) è di nuovo utilizzabile",
        "Un amministratore di TrackMe ha riattivato la gara \(name), che organizzi: prosegue secondo le sue date."
          + because
      )
    case .raceRunnerEmergency: ("Un concorrente della gara \(name) ha bisogno di aiuto", runnerEmergency)
    case .raceRunnerEmergencyOver:
      (
        "L’emergenza nella gara \(name) è conclusa",
        "L’emergenza \(ofRunner) nella gara \(name) è conclusa."
      )
    default: ("Novità sulla gara \(name)", "Ci sono novità sulla gara \(name).")
    }
  }

  /// A fee that can't be taken, or not be paid back.
  private var paymentFailed: Notice.Message {
    let isRefund = facts["wish"] == "refund"
    let subject = "Una quota della gara \(name) non si è potuta \(isRefund ? "rimborsare" : "incassare")"
    let text =
      switch (facts["organizer"], isRefund) {
      case ("true", true):
        """
        Il fornitore dei pagamenti non ha potuto rimborsare una quota\(amount) della gara \(name). Rimborsala in un altro \
        modo.
        """
      case ("true", false):
        """
        Il fornitore dei pagamenti non ha potuto incassare la quota\(amount) \(ofRunner) nella gara \(name), e non la \
        incasserà più. La gara è iniziata, quindi il concorrente conserva il posto.
        """
      case (_, true):
        """
        Il fornitore dei pagamenti non ha potuto rimborsare la tua quota\(amount) per la gara \(name). Chiedila agli \
        organizzatori.
        """
      case (_, false):
        "Il fornitore dei pagamenti non ha potuto incassare la tua quota\(amount) per la gara \(name). "
          + (facts["place"] == "kept"
            ? "Non la incasserà più. La gara è iniziata, quindi conservi il posto; gli organizzatori ne sono al corrente."
            : "Non la incasserà più: non hai quindi un posto nella gara. Finché le iscrizioni sono aperte puoi iscriverti di nuovo.")
      }
    return (subject, text + reference)
  }

  /// What was one thing and is another now, a line each.
  private var changed: String {
    var lines: [String] = []
    for (words, key, old) in [
      ("La partenza", "start", "un’altra"), ("Il termine delle iscrizioni", "deadline", "un altro"),
    ] where facts["new_\(key)"] != nil {
      lines.append("\(words) è \(facts.day("new_\(key)", old)); era \(facts.day("old_\(key)", old)).")
    }
    if let new = facts.hours("new_limit"), let old = facts.hours("old_limit") {
      lines.append("Il tempo massimo è \(new); era \(old).")
    }
    if let new = course("new"), let old = course("old") {
      lines.append("Il percorso ora è di \(new); era di \(old).")
    }
    return """
      Gli organizzatori hanno modificato la gara \(name).

      \(lines.joined(separator: "\n"))

      Se hai un posto, resta tuo. Se la modifica non ti va bene, rinuncia prima della partenza e riavrai l’intera quota. \
      Se non hai ancora pagato, la tua iscrizione dice fino a quando il posto è riservato per te.
      """
  }

  /// "5,2 km da Castello fino a Arco, con 2 tappe".
  private func course(_ age: String) -> String? {
    guard var words = facts.kilometres("\(age)_length_m", point: ",") else { return nil }
    for (key, preposition) in [("from", "da"), ("to", "fino a")] {
      if let place = facts.line("\(age)_\(key)", max: 100) { words += " \(preposition) \(place)" }
    }
    let stages = facts.stages("\(age)_stages")
    return stages == 0 ? words : words + ", con \(stages) tapp\(stages == 1 ? "a" : "e")"
  }

  private var runnerEmergency: String {
    let near = facts.line("place", max: 100).map { ", vicino a \($0)" } ?? ""
    let place = facts.kilometre(point: ",").map { " al chilometro \($0)" + near } ?? ", in un punto non noto"
    return "È stata rilevata un’emergenza \(ofRunner) nella gara \(name)\(place). Si stanno chiamando i soccorsi."
  }

  private var ofRunner: String {
    facts.number.map { "del concorrente con il numero \($0)" } ?? "di un concorrente"
  }

  private var amount: String { facts.amount(point: ",").map { " di \($0)" } ?? "" }

  /// What organisers or administrators gave as their reason.
  private var because: String { facts.line("reason", max: 500).map { "\n\nMotivo indicato: \($0)" } ?? "" }

  private var reference: String { facts.line("payment", max: 64).map { "\n\nRiferimento: \($0)" } ?? "" }
}
