internal import Notifications
internal import WireCodec

extension Notice {
  /// What administrators tell everybody.
  static let ofAdministrators = [
    Notice(Int16(Trackme_Notifications_V1_NotificationKind.maintenance.rawValue), isMailed: true) {
      ("TrackMe will be interrupted for maintenance", maintenance($0.facts))
    }
  ]

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
    return interruption + "\n\n" + lines(message, max: 1_000)
  }

  /// "2026-11-22 04:00 UTC" where PostgreSQL wrote "2026-11-22T04:00:00+00:00".
  private static func time(_ text: String) -> String {
    let line = line(text, otherwise: "", max: 40)
    guard line.hasSuffix(":00+00:00"), line.utf8.count == 25 else { return line }
    return line.prefix(10) + " " + line.prefix(16).suffix(5) + " UTC"
  }
}
