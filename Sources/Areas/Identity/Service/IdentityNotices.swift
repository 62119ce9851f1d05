internal import Domain
internal import Notifications
internal import WireCodec

extension Notice {
  private init(
    _ kind: Trackme_Notifications_V1_NotificationKind, words: @escaping @Sendable (Announcement) -> Words
  ) {
    self.init(Int16(kind.rawValue), isMailed: true, words: words)
  }

  /// What a disabled account has lost, and what is left of it.
  private static func state(ofDisabled kind: AccountKind?) -> (english: String, italian: String) {
    kind == .thirdParty
      ? (
        "Sessions, tokens, requests, grants and subscriptions have ended. Nobody can log in with it.",
        "Sessioni, token, richieste, accessi e abbonamenti sono cessati. Con questo account non si può più accedere."
      )
      : (
        """
        Sessions, devices, requests, grants and subscriptions have ended. You can still log in, to see and take back what \
        you have granted, to export your readings, and to leave.
        """,
        """
        Sessioni, dispositivi, richieste, accessi e abbonamenti sono cessati. Puoi ancora accedere per vedere e revocare \
        ciò che hai concesso, esportare le misure ed eliminare l’account.
        """
      )
  }

  private static func kind(in announcement: Announcement) -> AccountKind? {
    announcement.facts["kind"].flatMap(AccountKind.init)
  }

  /// What an account is told of itself.
  static let ofIdentity = [
    Notice(.registered) { _ in
      Words(
        english: (
          "Welcome to TrackMe",
          """
          Your TrackMe account is ready.

          Nobody sees your readings unless you accept their request, and you can end that at any time.
          """
        ),
        italian: (
          "Ti diamo il benvenuto su TrackMe",
          """
          Il tuo account TrackMe è pronto.

          Nessuno vede le tue misure se non accetti la sua richiesta, e puoi revocare l’accesso in ogni momento.
          """
        ))
    },
    Notice(.deviceAdded) { announcement in
      func device(_ otherwise: String, _ number: String) -> String {
        line(
          announcement.facts["name"], otherwise: announcement.device.map { "\(number) \($0)" } ?? otherwise, max: 100)
      }
      return Words(
        english: (
          "A device was added to your account",
          """
          The device \(device("a device", "number")) can now push readings for your account.

          If you did not add it, revoke it and change your password.
          """
        ),
        italian: (
          "È stato aggiunto un dispositivo al tuo account",
          """
          Ora il dispositivo \(device("aggiunto", "numero")) può inviare misure per il tuo account.

          Se non l’hai aggiunto tu, revocalo e cambia la password.
          """
        ))
    },
    Notice(.passwordChanged) { _ in
      Words(
        english: (
          "Your password was changed",
          """
          The password of your TrackMe account was changed.

          If it was not you, somebody knows your password: tell the operator of this service.
          """
        ),
        italian: (
          "La tua password è stata cambiata",
          """
          La password del tuo account TrackMe è stata cambiata.

          Se non l’hai fatto tu, qualcuno conosce la tua password: avvisa chi gestisce il servizio.
          """
        ))
    },
    Notice(.signInChanged) { announcement in
      if announcement.facts["linked"] == "true" {
        return Words(
          english: (
            "A sign-in was linked with your account",
            """
            Whoever signs in there can now use your TrackMe account without its password.

            If it was not you, change your password: that ends the link and every other session.
            """
          ),
          italian: (
            "Un altro accesso è stato collegato al tuo account",
            """
            Chi accede da lì ora può usare il tuo account TrackMe senza la password.

            Se non l’hai fatto tu, cambia la password: così termini il collegamento e ogni altra sessione.
            """
          ))
      }
      return Words(
        english: (
          "A sign-in is linked with your account no more",
          "Your TrackMe account is used with its password alone from now on."
        ),
        italian: (
          "Un altro accesso non è più collegato al tuo account",
          "Da ora il tuo account TrackMe si usa solo con la password."
        ))
    },
    Notice(.accountDisabled) { announcement in
      let reason = lines(announcement.facts["reason"] ?? "", max: 500)
      let state = state(ofDisabled: kind(in: announcement))
      return Words(
        english: (
          "Your TrackMe account was disabled",
          """
          An administrator has disabled your account. Reason: \(reason)

          \(state.english)
          """
        ),
        italian: (
          "Il tuo account TrackMe è stato disattivato",
          """
          Un amministratore ha disattivato il tuo account. Motivo: \(reason)

          \(state.italian)
          """
        ))
    },
    Notice(.accountEnabled) { announcement in
      let reason = lines(announcement.facts["reason"] ?? "", max: 500)
      let isPerson = kind(in: announcement) != .thirdParty
      let english = isPerson ? "add devices and bridges anew" : "ask persons for access again"
      let italian = isPerson ? "aggiungi di nuovo dispositivi e bridge" : "chiedi di nuovo l’accesso alle persone"
      return Words(
        english: (
          "Your TrackMe account works again",
          """
          An administrator has enabled your account again. Reason: \(reason)

          What had ended stays so: \(english).
          """
        ),
        italian: (
          "Il tuo account TrackMe è di nuovo attivo",
          """
          Un amministratore ha riattivato il tuo account. Motivo: \(reason)

          Ciò che era cessato resta tale: \(italian).
          """
        ))
    },
    Notice(.registeredAgain) { announcement in
      let username = announcement.facts["username"]
      return Words(
        english: (
          "Somebody used your e-mail address or fiscal code",
          """
          Somebody, perhaps you, has just entered the e-mail address or the fiscal code of your TrackMe account for \
          another account. You have one already: its username is \(line(username, otherwise: "known to you", max: 64)).

          Nothing has changed for it: its mails and requests for readings reach you alone. If it was you, log in with \
          that username. If it was not you, there is nothing to do.
          """
        ),
        italian: (
          "Qualcuno ha usato il tuo indirizzo e-mail o codice fiscale",
          """
          Qualcuno, forse tu, ha appena inserito l’indirizzo e-mail o il codice fiscale del tuo account TrackMe per un \
          altro account. Ne hai già uno: il suo nome utente è \(line(username, otherwise: "quello che conosci", max: 64)).

          Per questo account non cambia nulla: le sue e-mail e le richieste di misure arrivano solo a te. Se l’hai fatto \
          tu, accedi con quel nome utente. Se non l’hai fatto tu, non devi fare nulla.
          """
        ))
    },
  ]
}
