internal import Domain
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
    Notice(Int16(kind.rawValue), isMailed: isMailed) { race(kind, $0) }
  }

  /// What is said of an event of a race.
  private static func race(_ kind: Trackme_Notifications_V1_NotificationKind, _ announcement: Announcement) -> Words {
    let facts = announcement.facts
    let name = line(facts["name"], otherwise: facts["race"].map { "number \($0)" } ?? "of yours", max: 100)
    return switch kind {
    case .racePostponed:
      (
        "The race \(name) was postponed",
        """
        The race \(name) was moved: it starts at \(day(facts["new_start"], "a later time")), and not at \
        \(day(facts["old_start"], "the time that was set")).

        The deadline of enrolment has moved by as much. Your enrolment stays; you can withdraw if the new time does \
        not suit you.
        """
      )
    case .raceCancelled:
      (
        "The race \(name) was cancelled",
        "The race \(name) was cancelled by its organisers. Fees that were paid are paid back." + because(facts)
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
        "You are enrolled in the race \(name)." + (number(facts).map { "\n\nYour number is \($0)." } ?? "")
      )
    case .racePaymentDue:
      (
        "A place in the race \(name) waits for your payment",
        """
        A place in the race \(name) is yours if you pay the fee\(amount(facts).map { " of \($0)" } ?? "") by \
        \(day(facts["until"], "the end of the hold")).

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
        "Your payment\(amount(facts).map { " of \($0)" } ?? "") for the race \(name) was received."
          + reference(facts)
      )
    case .raceRefund:
      (
        "The fee of the race \(name) was paid back",
        "Your payment\(amount(facts).map { " of \($0)" } ?? "") for the race \(name) was paid back." + reference(facts)
      )
    case .racePaymentFailed: paymentFailed(name, facts)
    case .raceDisqualified:
      (
        "You were disqualified in the race \(name)",
        "The organisers of the race \(name) have disqualified you." + because(facts)
      )
    case .raceReinstated:
      (
        "Your disqualification in the race \(name) was taken back",
        "The organisers of the race \(name) have taken your disqualification back." + because(facts)
      )
    case .raceChanged: ("The race \(name) has changed", changed(name, facts))
    case .raceDisabled:
      (
        "The race \(name) was disabled",
        """
        An administrator of TrackMe has disabled the race \(name), which you organise. Until it is enabled again nobody \
        else sees it, nobody can follow it, and nothing can be done with it.
        """ + because(facts)
      )
    case .raceEnabled:
      (
        "The race \(name) can be used again",
        "An administrator of TrackMe has enabled the race \(name), which you organise: it goes on by its dates."
          + because(facts)
      )
    case .raceRunnerEmergency:
      ("A runner of the race \(name) needs help", runnerEmergency(name, facts))
    case .raceRunnerEmergencyOver:
      (
        "The emergency in the race \(name) is over",
        "The emergency of \(runner(facts)) in the race \(name) is over."
      )
    default: ("News of the race \(name)", "There is news of the race \(name).")
    }
  }

  /// A fee that can't be taken, or not be paid back.
  private static func paymentFailed(_ name: String, _ facts: [String: String]) -> Words {
    let fee = "fee\(amount(facts).map { " of \($0)" } ?? "")"
    let isRefund = facts["wish"] == "refund"
    let subject = "A fee of the race \(name) could not be \(isRefund ? "paid back" : "taken")"
    let text =
      switch (facts["organizer"], isRefund) {
      case ("true", true):
        "A \(fee) of the race \(name) could not be paid back by the payment provider. Please pay it back in another way."
      case ("true", false):
        """
        The \(fee) of \(runner(facts)) in the race \(name) could not be taken by the payment provider, and will not be. The \
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
    return (subject, text + reference(facts))
  }

  /// What was one thing and is another now, a line each.
  private static func changed(_ name: String, _ facts: [String: String]) -> String {
    var lines: [String] = []
    for (words, key) in [("The start", "start"), ("The deadline of enrolment", "deadline")]
    where facts["new_\(key)"] != nil {
      lines.append(
        "\(words) is \(day(facts["new_\(key)"], "another one")); it was \(day(facts["old_\(key)"], "earlier set")).")
    }
    if let new = hours(facts["new_limit"]), let old = hours(facts["old_limit"]) {
      lines.append("The time limit is \(new); it was \(old).")
    }
    if let new = course("new", facts), let old = course("old", facts) {
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
  private static func course(_ age: String, _ facts: [String: String]) -> String? {
    guard let metres = facts["\(age)_length_m"].flatMap({ Int64($0) }) else { return nil }
    let tenths = (metres + 50) / 100
    var words = "\(tenths / 10).\(tenths % 10) km"
    for key in ["from", "to"] {
      let place = line(facts["\(age)_\(key)"], otherwise: "", max: 100)
      if !place.isEmpty { words += " \(key) \(place)" }
    }
    let stages = facts["\(age)_stages"].flatMap { Int64($0) } ?? 0
    return stages == 0 ? words : words + ", with \(stages) stage\(stages == 1 ? "" : "s")"
  }

  /// "6 h 30 min" of microseconds.
  private static func hours(_ text: String?) -> String? {
    guard let time = text.flatMap({ Int64($0) }) else { return nil }
    let (hours, minutes) = (time / 3_600_000_000, time / 60_000_000 % 60)
    return [hours > 0 ? "\(hours) h" : nil, minutes > 0 || hours == 0 ? "\(minutes) min" : nil]
      .compactMap(\.self).joined(separator: " ")
  }

  private static func runnerEmergency(_ name: String, _ facts: [String: String]) -> String {
    let near = line(facts["place"], otherwise: "", max: 100)
    let place =
      facts["km"].map { " at kilometre \(line($0, otherwise: "?", max: 10))" + (near.isEmpty ? "" : ", near \(near)") }
      ?? ", and where is not known"
    return "An emergency of \(runner(facts)) in the race \(name) was detected\(place). The emergency service is called."
  }

  private static func runner(_ facts: [String: String]) -> String {
    number(facts).map { "the runner with number \($0)" } ?? "a runner"
  }

  private static func number(_ facts: [String: String]) -> String? {
    facts["number"].flatMap { Int32($0) }.map { "\($0)" }
  }

  /// What organisers or administrators gave as their reason.
  private static func because(_ facts: [String: String]) -> String {
    let reason = line(facts["reason"], otherwise: "", max: 500)
    return reason.isEmpty ? "" : "\n\nTheir reason: \(reason)"
  }

  private static func reference(_ facts: [String: String]) -> String {
    facts["payment"].map { "\n\nReference: \(line($0, otherwise: "", max: 64))" } ?? ""
  }

  /// "15.00 EUR" of 1500 minor units.
  private static func amount(_ facts: [String: String]) -> String? {
    guard let units = facts["minor_units"].flatMap({ Int64($0) }), let currency = facts["currency"] else { return nil }
    let name = line(currency, otherwise: "", max: 3)
    let digits = currencyDigits[name] ?? 2
    guard digits > 0 else { return "\(units) \(name)" }
    let text = String(repeating: "0", count: max(0, digits + 1 - "\(units)".count)) + "\(units)"
    return "\(text.dropLast(digits)).\(text.suffix(digits)) \(name)"
  }

  /// How many digits follow the point, where it is not two (ISO 4217, list one).
  private static let currencyDigits = [
    "BHD": 3, "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "IQD": 3, "ISK": 0, "JOD": 3, "JPY": 0, "KMF": 0, "KRW": 0,
    "KWD": 3, "LYD": 3, "OMR": 3, "PYG": 0, "RWF": 0, "TND": 3, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0,
    "XPF": 0,
  ]

  /// "2026-11-22 04:00 UTC" of microseconds since the Unix epoch, or of a time as PostgreSQL writes it.
  private static func day(_ text: String?, _ otherwise: String) -> String {
    guard let text else { return otherwise }
    guard let time = Int64(text) else { return line(text, otherwise: otherwise, max: 40) }
    let minutes = time.quotientAndRemainder(dividingBy: 60_000_000).quotient
    guard let date = CalendarDate(utc: time) else { return otherwise }
    let (hour, minute) = (minutes / 60 % 24, minutes % 60)
    return "\(date.text) \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute) UTC"
  }
}
