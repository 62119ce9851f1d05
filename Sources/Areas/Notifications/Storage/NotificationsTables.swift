public import Log
internal import Postgres

extension AreaTables {
  /// Inboxes and mails.
  public static let notifications = AreaTables(
    migrations: [
      Migration(number: 7, name: "notification", sql: NotificationSQL.schema),
      Migration(number: 42, name: "inbox_limit", sql: InboxLimitSQL.schema),
      Migration(number: 45, name: "notice_kind", sql: NoticeKindSQL.schema),
    ],
    personal: [
      "email_queue.address": .erased,
      "email_queue.facts": .erased,
      "email_queue.state": .impersonal,
      "maintenance.message": .kept("it was told to everybody"),
      "maintenance.request_id": .erased,
      "notification.facts": .erased,
    ],
    erasure: ["SELECT forget_notifications($1)", "UPDATE maintenance SET request_id = NULL WHERE announced_by = $1"])
}
