internal import Identity
internal import Notifications
internal import Postgres
internal import SosRules

extension RegistrationAddition {
  /// Whether AutomatedSOS is on from registration. Whoever has it on is watched from there on; if the database fails just
  /// then, half a second later.
  static func automatedSos(_ roster: SosRoster) -> RegistrationAddition {
    RegistrationAddition { request, age, violations in
      let choice: Bool?
      switch request.automatedSos {
      case .on: choice = true
      case .off: choice = false
      case .unspecified: choice = nil
      case .unrecognized:
        violations.add("automated_sos", "must be SOS_CHOICE_ON or SOS_CHOICE_OFF, or left out")
        choice = nil
      }
      let isOn = age.map { SosSettings.isOnFromRegistration(choice: choice, age: $0) } ?? false
      return { connection, account in
        // The row comes with the person's, and says no; nobody has seen it, so it is no change of version.
        _ = try connection.query(
          "UPDATE sos_settings SET enabled = $2 WHERE person = $1", [.int8(account), .bool(isOn)])
      }
    } registered: {
      try? await roster.refresh()
    }
  }
}

extension MailStamp {
  /// A mail that asks a contact has a code of its own at each attempt; only the last one counts.
  static let ofContactQuestions = MailStamp(kind: ContactStore.mailKind) { connection, person, address in
    let code = ContactCode()
    guard try ContactStore.putCode(code.hash, of: person, at: address, connection) else { return nil }
    return ["code": code.text]
  }
}
