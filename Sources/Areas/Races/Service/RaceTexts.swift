internal import Notifications
internal import WireCodec

// The words about races, for their runners, observers and organisers. A race is named; runners are not, other than by
// their numbers.

extension Notice {
  /// What runners, observers and organisers are told.
  static let ofRaces =
    mailedKinds.map { notice($0, isMailed: true) } + unmailedKinds.map { notice($0, isMailed: false) }

  private static let mailedKinds: [Trackme_Notifications_V1_NotificationKind] = [
    .racePostponed, .raceCancelled, .raceInvited, .raceOrganizerAdded, .racePlace, .racePaymentDue, .racePlaceLost,
    .raceReceipt, .raceRefund, .raceDisqualified, .raceReinstated, .raceRunnerEmergency, .raceRunnerEmergencyOver,
    .racePaymentFailed,
  ]
  /// These are told to whole races: their mails are put into the queue with them, some at a time.
  private static let unmailedKinds: [Trackme_Notifications_V1_NotificationKind] = [
    .raceChanged, .raceDisabled, .raceEnabled,
  ]

  private static func notice(_ kind: Trackme_Notifications_V1_NotificationKind, isMailed: Bool) -> Notice {
    Notice(Int16(kind.rawValue), isMailed: isMailed) { announcement in
      let facts = RaceFacts(announcement.facts)
      return Words(english: EnglishRaceTexts(facts).message(kind), italian: ItalianRaceTexts(facts).message(kind))
    }
  }
}

/// What is said of an event of a race, in English.
struct EnglishRaceTexts {
  private let facts: RaceFacts
  private let name: String

  init(_ facts: RaceFacts) {
    self.facts = facts
    name = facts.line("name", max: 100) ?? facts["race"].map { "number \($0)" } ?? "of yours"
  }

  func message(_ kind: Trackme_Notifications_V1_NotificationKind) -> Notice.Message {
    switch kind {
    case .racePostponed:
      (
        "The race \(name) was postponed",
        """
        The race \(name) was moved: it starts at \(facts.day("new_start", "a later time")), and not at \
        \(facts.day("old_start", "the time that was set")).

        The deadline of enrolment has moved by as much. Your enrolment stays; you can withdraw if the new time does \
        not suit you.
        """
      )
    case .raceCancelled:
      (
        "The race \(name) was cancelled",
        "The race \(name) was cancelled by its organisers. Fees that were paid are paid back." + because
      )
    case .raceInvited:
      (
        "You are invited to the race \(name)",
        """
        You are invited to run in \(name), a race by invitation.

        Follow the private link that its organisers give you to enrol.
        """
      )
    case .raceOrganizerAdded:
      ("You organise the race \(name)", "You were made an organiser of the race \(name): you can manage it now.")
    case .racePlace:
      (
        "You have a place in the race \(name)",
        "You are enrolled in the race \(name)." + (facts.number.map { "\n\nYour number is \($0)." } ?? "")
      )
    case .racePaymentDue:
      (
        "A place in the race \(name) waits for your payment",
        """
        A place in the race \(name) is yours if you pay the fee\(amount) by \
        \(facts.day("until", "the end of the hold")).

        You find where to pay in your enrolment.
        """
      )
    case .racePlaceLost:
      (
        "Your place in the race \(name) was given away",
        "The fee of the race \(name) was not paid in time, so the place that was held for you went to somebody else."
      )
    case .raceReceipt:
      (
        "Receipt: the fee of the race \(name)",
        "Your payment\(amount) for the race \(name) was received." + reference
      )
    case .raceRefund:
      (
        "The fee of the race \(name) was paid back",
        "Your payment\(amount) for the race \(name) was paid back." + reference
      )
    case .racePaymentFailed: paymentFailed
    case .raceDisqualified:
      (
        "You were disqualified in the race \(name)",
        "The organisers of the race \(name) have disqualified you." + because
      )
    case .raceReinstated:
      (
        "Your disqualification in the race \(name) was taken back",
        "The organisers of the race \(name) have taken your disqualification back." + because
      )
    case .raceChanged: ("The race \(name) has changed", changed)
    case .raceDisabled:
      (
        "The race \(name) was disabled",
        """
        An administrator of TrackMe has disabled the race \(name), which you organise. Until it is enabled again nobody \
        else sees it, nobody can follow it, and nothing can be done with it.
        """ + because
      )
    case .raceEnabled:
      (
        "The race \(name) can be used again",
        "An administrator of TrackMe has enabled the race \(name), which you organise: it goes on by its dates."
          + because
      )
    case .raceRunnerEmergency:
      ("A runner of the race \(name) needs help", runnerEmergency)
    case .raceRunnerEmergencyOver:
      (
        "The emergency in the race \(name) is over",
        "The emergency of \(runner) in the race \(name) is over."
      )
    default: ("News of the race \(name)", "There is news of the race \(name).")
    }
  }

  /// A fee that can't be taken, or not be paid back.
  private var paymentFailed: Notice.Message {
    let fee = "fee\(amount)"
    let isRefund = facts["wish"] == "refund"
    let subject = "A fee of the race \(name) could not be \(isRefund ? "paid back" : "taken")"
    let text =
      switch (facts["organizer"], isRefund) {
      case ("true", true):
        "A \(fee) of the race \(name) could not be paid back by the payment provider. Please pay it back in another way."
      case ("true", false):
        """
        The \(fee) of \(runner) in the race \(name) could not be taken by the payment provider, and will not be. The \
        race has begun, so the runner keeps the place.
        """
      case (_, true):
        "Your \(fee) for the race \(name) could not be paid back by the payment provider. Please ask the organisers for it."
      case (_, false):
        "Your \(fee) for the race \(name) could not be taken by the payment provider, and will not be. "
          + (facts["place"] == "kept"
            ? "The race has begun, so you keep your place; its organisers know of it."
            : "So you have no place in the race any more. While enrolment is open you can enrol again.")
      }
    return (subject, text + reference)
  }

  /// What was one thing and is another now, a line each.
  private var changed: String {
    var lines: [String] = []
    for (words, key) in [("The start", "start"), ("The deadline of enrolment", "deadline")]
    where facts["new_\(key)"] != nil {
      lines.append(
        "\(words) is \(facts.day("new_\(key)", "another one")); it was \(facts.day("old_\(key)", "earlier set")).")
    }
    if let new = facts.hours("new_limit"), let old = facts.hours("old_limit") {
      lines.append("The time limit is \(new); it was \(old).")
    }
    if let new = course("new"), let old = course("old") {
      lines.append("The course is now \(new); it was \(old).")
    }
    return """
      The organisers have changed the race \(name).

      \(lines.joined(separator: "\n"))

      If you have a place, it is still yours. If the change does not suit you, withdraw before the start and you get the \
      whole fee back. If you have not paid yet, your enrolment says until when your place is held.
      """
  }

  /// "5.2 km from Castello to Arco, with 2 stages".
  private func course(_ age: String) -> String? {
    guard var words = facts.kilometres("\(age)_length_m", point: ".") else { return nil }
    for key in ["from", "to"] {
      if let place = facts.line("\(age)_\(key)", max: 100) { words += " \(key) \(place)" }
    }
    let stages = facts.stages("\(age)_stages")
    return stages == 0 ? words : words + ", with \(stages) stage\(stages == 1 ? "" : "s")"
  }

  private var runnerEmergency: String {
    let near = facts.line("place", max: 100).map { ", near \($0)" } ?? ""
    let place = facts.kilometre(point: ".").map { " at kilometre \($0)" + near } ?? ", and where is not known"
    return "An emergency of \(runner) in the race \(name) was detected\(place). The emergency service is called."
  }

  private var runner: String { facts.number.map { "the runner with number \($0)" } ?? "a runner" }

  private var amount: String { facts.amount(point: ".").map { " of \($0)" } ?? "" }

  /// What organisers or administrators gave as their reason.
  private var because: String { facts.line("reason", max: 500).map { "\n\nTheir reason: \($0)" } ?? "" }

  private var reference: String { facts.line("payment", max: 64).map { "\n\nReference: \($0)" } ?? "" }
}
