internal import Notifications
internal import WireCodec

extension Notice {
  /// What administrators tell everybody.
  static let ofAdministrators = [
    Notice(Int16(Trackme_Notifications_V1_NotificationKind.maintenance.rawValue), isMailed: true) {
      maintenance($0.facts)
    }
  ]

  private static func maintenance(_ facts: [String: String]) -> Words {
    let english =
      switch (facts["begins"].map(time), facts["ends"].map(time)) {
      case (let begins?, let ends?): "TrackMe will be interrupted from \(begins) to \(ends)."
      case (let begins?, nil): "TrackMe will be interrupted from \(begins) on."
      default: "TrackMe will be interrupted."
      }
    let italian =
      switch (facts["begins"].map(time), facts["ends"].map(time)) {
      case (let begins?, let ends?): "TrackMe sarà interrotto. Inizio: \(begins). Fine: \(ends)."
      case (let begins?, nil): "TrackMe sarà interrotto. Inizio: \(begins)."
      default: "TrackMe sarà interrotto."
      }
    // In the language of whoever wrote it.
    let message = lines(facts["message"] ?? "", max: 1_000)
    let more = message.isEmpty ? "" : "\n\n" + message
    return Words(
      english: ("TrackMe will be interrupted for maintenance", english + more),
      italian: ("TrackMe sarà interrotto per manutenzione", italian + more))
  }

  /// "2026-11-22 04:00 UTC" where PostgreSQL wrote "2026-11-22T04:00:00+00:00".
  private static func time(_ text: String) -> String {
    let line = line(text, otherwise: "", max: 40)
    guard line.hasSuffix(":00+00:00"), line.utf8.count == 25 else { return line }
    return line.prefix(10) + " " + line.prefix(16).suffix(5) + " UTC"
  }
}
