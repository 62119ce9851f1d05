internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension NotificationService {
  static let maxMarkedNotifications = 1_000

  /// Counts those that were unread; numbers of others' notifications are passed over.
  /// - Throws: INVALID_ARGUMENT for more than 1,000 numbers, or one that is not positive.
  public func markRead(
    _ request: Trackme_Notifications_V1_MarkReadRequest, context: CallContext
  ) async throws -> Trackme_Notifications_V1_MarkReadResponse {
    let account = try context.account()
    var violations: [FieldViolation] = []
    if request.notificationIDs.count > Self.maxMarkedNotifications {
      violations.append(
        .init(field: "notification_ids", problem: "must be at most \(Self.maxMarkedNotifications)"))
    }
    for (index, id) in request.notificationIDs.prefix(Self.maxMarkedNotifications).enumerated() where id <= 0 {
      violations.append(.init(field: "notification_ids[\(index)]", problem: "must be positive"))
      if violations.count == 100 { break }
    }
    guard violations.isEmpty else { throw RPCStatus.invalidArgument(violations: violations) }
    if request.notificationIDs.isEmpty { return .init() }
    return .init(markedCount: Int64(try await store.markRead(request.notificationIDs, of: account)))
  }
}
