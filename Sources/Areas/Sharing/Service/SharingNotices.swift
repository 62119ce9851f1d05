internal import Domain
internal import Identity
internal import IdentityRules
internal import Notifications
internal import WireCodec

extension Notice {
  /// - Parameter words: of the third party's name, " " and the request's number, and the announcement.
  private init(
    _ kind: Trackme_Notifications_V1_NotificationKind, isMailed: Bool = true,
    _ words: @escaping @Sendable (_ name: ThirdPartyName, _ request: String, _ announcement: Announcement) -> Words
  ) {
    self.init(Int16(kind.rawValue), isMailed: isMailed) { announcement in
      words(
        ThirdPartyName(announcement),
        announcement.accessRequest.map { " \($0)" } ?? "", announcement)
    }
  }

  /// What persons and third parties are told of requests for access.
  static let ofSharing = [
    Notice(.accessRequested) { name, request, announcement in
      let asker = Asker(announcement)
      return Words(
        english: (
          "\(name.english) asks for access to your readings",
          """
          \(name.english) asks for access to some of your readings: request\(request).

          \(asker.english)

          Look at what it asks for, then accept or refuse it. Nothing is shared until you accept.
          """
        ),
        italian: (
          "\(name.italian) chiede l’accesso alle tue misure",
          """
          \(name.italian) chiede l’accesso ad alcune tue misure: richiesta\(request).

          \(asker.italian)

          Guarda che cosa chiede, poi accetta o rifiuta. Finché non accetti non viene condiviso nulla.
          """
        ))
    },
    Notice(.accessAccepted) { _, request, _ in
      Words(
        english: (
          "Access request\(request) was accepted",
          "Your request\(request) was accepted. You may read what it covers, as long as it is not revoked."
        ),
        italian: (
          "La richiesta di accesso\(request) è stata accettata",
          "La tua richiesta\(request) è stata accettata. Puoi leggere ciò che comprende finché non viene revocata."
        ))
    },
    Notice(.accessRefused) { _, request, _ in
      Words(
        english: ("Access request\(request) was refused", "Your request\(request) was refused. Nothing is shared."),
        italian: (
          "La richiesta di accesso\(request) è stata rifiutata",
          "La tua richiesta\(request) è stata rifiutata. Non viene condiviso nulla."
        ))
    },
    Notice(.accessWithdrawn) { name, request, announcement in
      announcement.facts["is_disabled"] == "true" ? disabled(name, request) : withdrawn(name, request)
    },
    Notice(.accessRevoked) { _, request, _ in
      Words(
        english: (
          "Access under request\(request) was revoked",
          "The access that request\(request) gave you was revoked. From now on you get no readings under it."
        ),
        italian: (
          "L’accesso della richiesta\(request) è stato revocato",
          "L’accesso che avevi con la richiesta\(request) è stato revocato. Da ora in base a questa non ricevi più misure."
        ))
    },
    Notice(.accessExpired, isMailed: false) { name, request, announcement in
      let isToThirdParty = announcement.facts["is_to_third_party"] == "true"
      return announcement.facts["is_unanswered"] == "true"
        ? unanswered(name, request, isToThirdParty: isToThirdParty)
        : expired(name, request, isToThirdParty: isToThirdParty)
    },
  ]

  private static func withdrawn(_ name: ThirdPartyName, _ request: String) -> Words {
    Words(
      english: (
        "\(name.english) gave up its access",
        "\(name.english) has withdrawn request\(request). Under it, nothing is shared any more."
      ),
      italian: (
        "\(name.italian) ha rinunciato all’accesso",
        "\(name.italian) ha ritirato la richiesta\(request). In base a questa non viene più condiviso nulla."
      ))
  }

  private static func disabled(_ name: ThirdPartyName, _ request: String) -> Words {
    Words(
      english: (
        "\(name.english) was disabled by an administrator",
        """
        \(name.english) was disabled by an administrator, and request\(request) has ended with that. Under it, nothing is \
        shared any more.
        """
      ),
      italian: (
        "\(name.italian): account disattivato da un amministratore",
        """
        \(name.italian): un amministratore ha disattivato l’account, e così è terminata la richiesta\(request). In base a \
        questa non viene più condiviso nulla.
        """
      ))
  }

  private static func unanswered(_ name: ThirdPartyName, _ request: String, isToThirdParty: Bool) -> Words {
    Words(
      english: (
        "Access request\(request) has come to its end",
        isToThirdParty
          ? "Your request\(request) was not paid or not answered in time. Nothing is shared, and nothing is taken for it."
          : "You did not answer request\(request) of \(name.english) in time. Nothing is shared."
      ),
      italian: (
        "La richiesta di accesso\(request) è scaduta",
        isToThirdParty
          ? """
          La tua richiesta\(request) non è stata pagata o non ha avuto risposta in tempo. Non viene condiviso nulla e non \
          viene incassato nulla.
          """
          : "Non hai risposto in tempo alla richiesta\(request) di \(name.italian). Non viene condiviso nulla."
      ))
  }

  private static func expired(_ name: ThirdPartyName, _ request: String, isToThirdParty: Bool) -> Words {
    Words(
      english: (
        "Access under request\(request) has come to its end",
        isToThirdParty
          ? "The access that request\(request) gave you has come to its end."
          : "The access that you gave \(name.english) with request\(request) has come to its end."
      ),
      italian: (
        "L’accesso della richiesta\(request) è scaduto",
        isToThirdParty
          ? "L’accesso che avevi con la richiesta\(request) è scaduto."
          : "L’accesso che hai dato a \(name.italian) con la richiesta\(request) è scaduto."
      ))
  }
}

/// What a person has to know of who asks: what it is, how that was checked, and what it says of itself.
private struct Asker {
  let english: String
  let italian: String

  init(_ announcement: Announcement) {
    let facts = announcement.facts
    let kind = HolderKind(rawValue: facts["third_party_kind"].flatMap(Int16.init) ?? 0) ?? .unknown
    let checked = Notice.line(facts["third_party_checked"], otherwise: "", max: CodeHolder.maxCheckedCharacters)
    let description = Notice.line(facts["third_party_description"], otherwise: "", max: 2_000)
    func lines(_ kind: String?, _ checked: String, _ words: String) -> String {
      [kind, checked, description.isEmpty ? nil : words].compactMap { $0 }.joined(separator: "\n")
    }
    english = lines(
      kind.english.map { "What it is: \($0)" },
      checked.isEmpty ? "Nobody has checked who this is." : "Checked by the administrators: \(checked)",
      "In its own words: “\(description)”")
    italian = lines(
      kind.italian.map { "Che cos’è: \($0)" },
      checked.isEmpty ? "Nessuno ha verificato chi sia." : "Verificato dagli amministratori: \(checked)",
      "Con parole sue: «\(description)»")
  }
}

extension HolderKind {
  fileprivate var english: String? {
    switch self {
    case .unknown: nil
    case .company: "company"
    case .healthCare: "doctor, practice or hospital"
    case .researchInstitute: "university or research institute"
    case .publicAuthority: "public authority"
    case .association: "association"
    }
  }

  fileprivate var italian: String? {
    switch self {
    case .unknown: nil
    case .company: "azienda"
    case .healthCare: "medico, studio o ospedale"
    case .researchInstitute: "università o istituto di ricerca"
    case .publicAuthority: "ente pubblico"
    case .association: "associazione"
    }
  }
}

/// As the code of a third party says that it is called, or what it is called where that is not known.
private struct ThirdPartyName {
  let english: String
  let italian: String

  init(_ announcement: Announcement) {
    let name = announcement.facts["third_party_name"]
    english = Notice.line(name, otherwise: "A third party", max: 200)
    italian = Notice.line(name, otherwise: "Una terza parte", max: 200)
  }
}

extension CurrentFact {
  /// Who the third party of a request is now, whether it is the one who is told, whether a request ended without a grant,
  /// and whether it ended because an administrator disabled the third party.
  static let ofSharing = [
    asker("third_party_name", "t.display_name"),
    asker("third_party_description", "t.description"), asker("third_party_kind", "holder.kind::text"),
    asker("third_party_checked", "holder.checked"),
    CurrentFact(
      "is_to_third_party",
      sql: "(SELECT 'true' FROM access_request r WHERE r.id = n.access_request AND r.third_party = n.account)"),
    CurrentFact(
      "is_unanswered",
      sql: """
        (SELECT 'true' WHERE n.kind = \(Trackme_Notifications_V1_NotificationKind.accessExpired.rawValue)
        AND NOT EXISTS (SELECT FROM access_change c
          WHERE c.access_request = n.access_request AND c.state = \(AccessState.accepted.rawValue)))
        """),
    // Who is disabled withdraws nothing.
    CurrentFact(
      "is_disabled",
      sql: """
        (SELECT 'true' FROM access_request r
        WHERE n.kind = \(Trackme_Notifications_V1_NotificationKind.accessWithdrawn.rawValue) AND r.id = n.access_request
          AND \(DecisionKind.accountDisabled.rawValue) = (SELECT d.kind FROM account_decision d
            WHERE d.account = r.third_party AND d.decided_at <= r.changed_at
              AND d.kind IN (\(DecisionKind.accountDisabled.rawValue), \(DecisionKind.accountEnabled.rawValue))
            ORDER BY d.id DESC LIMIT 1))
        """),
  ]

  /// Of the third party `t` of a request.
  private static func asker(_ name: String, _ column: String) -> CurrentFact {
    CurrentFact(
      name,
      sql: """
        (SELECT \(column) FROM access_request r JOIN account t ON t.id = r.third_party
        LEFT JOIN third_party_code holder ON holder.used_by = t.id WHERE r.id = n.access_request)
        """)
  }
}
