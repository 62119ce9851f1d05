public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension NotificationService {
  /// The newest first, with the number of all that are unread.
  /// - Throws: INVALID_ARGUMENT for a page that can't be, or that is of other arguments.
  public func listNotifications(
    _ request: Trackme_Notifications_V1_ListNotificationsRequest, context: CallContext
  ) async throws -> Trackme_Notifications_V1_ListNotificationsResponse {
    let account = try context.account()
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("notifications", "\(account)", "\(request.unreadOnly)"), seal)
    let (entries, unread) = try await store.list(
      of: account, unreadOnly: request.unreadOnly, before: page.before, limit: page.size + 1,
      facts: notices.facts)
    let shown = entries.prefix(page.size)
    return .init(
      notifications: shown.map { Trackme_Notifications_V1_Notification($0, notices) },
      nextPageToken: page.nextToken(found: entries.count, last: shown.last?.id), unreadCount: unread)
  }
}
