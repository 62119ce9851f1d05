internal import Domain
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

/// The caller's inbox: each RPC has its own file.
public final class NotificationService: Sendable {
  let store: NotificationStore
  let board: NotificationBoard
  let notices: Notices
  let seal: Seal

  /// - Parameter seal: of cursors and page tokens.
  init(store: NotificationStore, board: NotificationBoard, notices: Notices, seal: Seal) {
    self.store = store
    self.board = board
    self.notices = notices
    self.seal = seal
  }
}

extension Trackme_Notifications_V1_Notification {
  init(_ entry: InboxEntry, _ notices: Notices) {
    let words = notices.words(of: entry.announcement)
    self.init(
      notificationID: entry.id, kind: .init(rawValue: Int32(entry.announcement.kind)),
      created: Google_Protobuf_Timestamp(entry.created), subject: words.english.subject,
      text: words.english.text,
      accessRequestID: entry.announcement.accessRequest ?? 0, deviceID: entry.announcement.device ?? 0,
      isRead: entry.isRead, emergencyID: entry.announcement.facts["emergency"] ?? "",
      raceID: entry.announcement.facts["race"].flatMap { Int64($0) } ?? 0,
      subjectItalian: words.italian.subject, textItalian: words.italian.text)
  }
}
