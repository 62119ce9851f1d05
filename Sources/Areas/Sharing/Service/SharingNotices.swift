internal import Domain
internal import Notifications
internal import WireCodec

extension Notice {
  /// - Parameter words: of the third party's name, " " and the request's number, and the announcement.
  private init(
    _ kind: Trackme_Notifications_V1_NotificationKind, isMailed: Bool = true,
    _ words: @escaping @Sendable (_ name: String, _ request: String, _ announcement: Announcement) -> Words
  ) {
    self.init(Int16(kind.rawValue), isMailed: isMailed) { announcement in
      words(
        Self.line(announcement.facts["third_party_name"], otherwise: "A third party", max: 200),
        announcement.accessRequest.map { " \($0)" } ?? "", announcement)
    }
  }

  /// What persons and third parties are told of requests for access.
  static let ofSharing = [
    Notice(.accessRequested) { name, request, _ in
      (
        "\(name) asks for access to your readings",
        """
        \(name) asks for access to some of your readings: request\(request).

        Look at what it asks for, then accept or refuse it. Nothing is shared until you accept.
        """
      )
    },
    Notice(.accessAccepted) { _, request, _ in
      (
        "Access request\(request) was accepted",
        "Your request\(request) was accepted. You may read what it covers, as long as it is not revoked."
      )
    },
    Notice(.accessRefused) { _, request, _ in
      ("Access request\(request) was refused", "Your request\(request) was refused. Nothing is shared.")
    },
    Notice(.accessWithdrawn) { name, request, _ in
      (
        "\(name) gave up its access",
        "\(name) has withdrawn request\(request). Under it, nothing is shared any more."
      )
    },
    Notice(.accessRevoked) { _, request, _ in
      (
        "Access under request\(request) was revoked",
        "The access that request\(request) gave you was revoked. From now on you get no readings under it."
      )
    },
    Notice(.accessExpired, isMailed: false) { name, request, announcement in
      let isToThirdParty = announcement.facts["is_to_third_party"] == "true"
      if announcement.facts["is_unanswered"] == "true" {
        return (
          "Access request\(request) has come to its end",
          isToThirdParty
            ? "Your request\(request) was not paid or not answered in time. Nothing is shared, and nothing is taken for it."
            : "You did not answer request\(request) of \(name) in time. Nothing is shared."
        )
      }
      return (
        "Access under request\(request) has come to its end",
        isToThirdParty
          ? "The access that request\(request) gave you has come to its end."
          : "The access that you gave \(name) with request\(request) has come to its end."
      )
    },
  ]
}

extension CurrentFact {
  /// As the third party of a request calls itself now, whether it is the one who is told, and whether a request ended
  /// without a grant.
  static let ofSharing = [
    CurrentFact(
      "third_party_name",
      sql: """
        (SELECT t.display_name FROM access_request r JOIN account t ON t.id = r.third_party
        WHERE r.id = n.access_request)
        """),
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
  ]
}
