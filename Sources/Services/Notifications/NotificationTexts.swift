internal import ServiceKit
internal import Storage
internal import WireCodec

/// The words of every notification, in the inbox and by e-mail. English; never a reading, never a fiscal code; persons
/// are named to the contacts of their own choice only.
struct NotificationText: Equatable {
  /// One line.
  let subject: String
  /// Lines ended by LF; the last one is not.
  let text: String

  /// - Parameter announcement: with names as they are now.
  init(_ announcement: Announcement) {
    let kind = Trackme_Notifications_V1_NotificationKind(rawValue: Int32(announcement.kind))
    let name = Self.line(announcement.thirdPartyName, otherwise: "A third party", max: 200)
    let request = announcement.accessRequest.map { " \($0)" } ?? ""
    let device = Self.line(
      announcement.facts["name"], otherwise: announcement.device.map { "number \($0)" } ?? "a device", max: 100)
    switch kind {
    case .registered:
      subject = "Welcome to TrackMe"
      text = """
        Your TrackMe account is ready.

        Nobody sees your readings unless you accept their request, and you can end that at any time.
        """
    case .deviceAdded:
      subject = "A device was added to your account"
      text = """
        The device \(device) can now push readings for your account.

        If you did not add it, revoke it and change your password.
        """
    case .accessRequested:
      subject = "\(name) asks for access to your readings"
      text = """
        \(name) asks for access to some of your readings: request\(request).

        Look at what it asks for, then accept or refuse it. Nothing is shared until you accept.
        """
    case .accessAccepted:
      subject = "Access request\(request) was accepted"
      text = "Your request\(request) was accepted. You may read what it covers, as long as it is not revoked."
    case .accessRefused:
      subject = "Access request\(request) was refused"
      text = "Your request\(request) was refused. Nothing is shared."
    case .accessWithdrawn:
      subject = "\(name) gave up its access"
      text = "\(name) has withdrawn request\(request). Under it, nothing is shared any more."
    case .accessRevoked:
      subject = "Access under request\(request) was revoked"
      text = "The access that request\(request) gave you was revoked. From now on you get no readings under it."
    case .accessExpired:
      subject = "Access under request\(request) has come to its end"
      text =
        announcement.isToThirdParty
        ? "The access that request\(request) gave you has come to its end."
        : "The access that you gave \(name) with request\(request) has come to its end."
    case .maintenance:
      subject = "TrackMe will be interrupted for maintenance"
      text = Self.maintenance(announcement.facts)
    case .passwordChanged:
      subject = "Your password was changed"
      text = """
        The password of your TrackMe account was changed.

        If it was not you, somebody knows your password: tell the operator of this service.
        """
    case .signInChanged:
      let isLinked = announcement.facts["linked"] == "true"
      subject = isLinked ? "A sign-in was linked with your account" : "A sign-in is linked with your account no more"
      text =
        isLinked
        ? """
        Whoever signs in there can now use your TrackMe account without its password.

        If it was not you, change your password: that ends the link and every other session.
        """
        : "Your TrackMe account is used with its password alone from now on."
    case .registeredAgain:
      let name = Self.line(announcement.facts["username"], otherwise: "known to you", max: 64)
      subject = "Somebody used your e-mail address or fiscal code"
      text = """
        Somebody, perhaps you, has just entered the e-mail address or the fiscal code of your TrackMe account for another \
        account. You have one already: its username is \(name).

        Nothing has changed for it: its mails and requests for readings reach you alone. If it was you, log in with that \
        username. If it was not you, there is nothing to do.
        """
    case .emergency: (subject, text) = Self.emergency(announcement)
    case .emergencyOver: (subject, text) = Self.emergencyOver(announcement)
    case .silence: (subject, text) = Self.silence(announcement)
    default:
      (subject, text) =
        Self.race(kind, announcement) ?? ("News from TrackMe", "There is news in your TrackMe account.")
    }
  }

  private static func maintenance(_ facts: [String: String]) -> String {
    let begins = facts["begins"].map(time)
    let ends = facts["ends"].map(time)
    let interruption =
      switch (begins, ends) {
      case (let begins?, let ends?): "TrackMe will be interrupted from \(begins) to \(ends)."
      case (let begins?, nil): "TrackMe will be interrupted from \(begins) on."
      default: "TrackMe will be interrupted."
      }
    let message = facts["message"] ?? ""
    if message.isEmpty { return interruption }
    return interruption + "\n\n" + message.filter { $0 == "\n" || !isControl($0) }.prefix(1_000)
  }

  /// "2026-11-22 04:00 UTC" where PostgreSQL wrote "2026-11-22T04:00:00+00:00".
  private static func time(_ text: String) -> String {
    let line = line(text, otherwise: "", max: 40)
    guard line.hasSuffix(":00+00:00"), line.utf8.count == 25 else { return line }
    return line.prefix(10) + " " + line.prefix(16).suffix(5) + " UTC"
  }

  /// A name as one line: control characters are spaces, and it has an end.
  static func line(_ text: String?, otherwise: String, max: Int) -> String {
    let line = String((text ?? "").map { isControl($0) ? " " : $0 }.prefix(max))
    return line.allSatisfy { $0 == " " } ? otherwise : line
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
