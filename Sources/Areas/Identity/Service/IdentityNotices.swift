internal import Notifications
internal import WireCodec

extension Notice {
  private init(
    _ kind: Trackme_Notifications_V1_NotificationKind, words: @escaping @Sendable (Announcement) -> Words
  ) {
    self.init(Int16(kind.rawValue), isMailed: true, words: words)
  }

  /// What an account is told of itself.
  static let ofIdentity = [
    Notice(.registered) { _ in
      (
        "Welcome to TrackMe",
        """
        Your TrackMe account is ready.

        Nobody sees your readings unless you accept their request, and you can end that at any time.
        """
      )
    },
    Notice(.deviceAdded) { announcement in
      let device = line(
        announcement.facts["name"], otherwise: announcement.device.map { "number \($0)" } ?? "a device", max: 100)
      return (
        "A device was added to your account",
        """
        The device \(device) can now push readings for your account.

        If you did not add it, revoke it and change your password.
        """
      )
    },
    Notice(.passwordChanged) { _ in
      (
        "Your password was changed",
        """
        The password of your TrackMe account was changed.

        If it was not you, somebody knows your password: tell the operator of this service.
        """
      )
    },
    Notice(.signInChanged) { announcement in
      if announcement.facts["linked"] == "true" {
        return (
          "A sign-in was linked with your account",
          """
          Whoever signs in there can now use your TrackMe account without its password.

          If it was not you, change your password: that ends the link and every other session.
          """
        )
      }
      return (
        "A sign-in is linked with your account no more",
        "Your TrackMe account is used with its password alone from now on."
      )
    },
    Notice(.registeredAgain) { announcement in
      let name = line(announcement.facts["username"], otherwise: "known to you", max: 64)
      return (
        "Somebody used your e-mail address or fiscal code",
        """
        Somebody, perhaps you, has just entered the e-mail address or the fiscal code of your TrackMe account for another \
        account. You have one already: its username is \(name).

        Nothing has changed for it: its mails and requests for readings reach you alone. If it was you, log in with that \
        username. If it was not you, there is nothing to do.
        """
      )
    },
  ]
}
