internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension NotificationService: NotificationServiceHandler {
  /// The most entries that are read at once.
  static let maxWatchedPage = 100

  /// Sends what comes after the cursor, or from now on, until the call ends; heartbeats have the cursor to go on from.
  /// - Throws: INVALID_ARGUMENT for a cursor that is none of this service or ahead of it; UNAVAILABLE when the server
  ///   ends; `CancellationError`.
  public func watchNotifications(
    _ request: Trackme_Notifications_V1_WatchNotificationsRequest,
    responses: ResponseWriter<Trackme_Notifications_V1_WatchNotificationsResponse>, context: CallContext
  ) async throws {
    let account = try context.account()
    let start = try request.cursor.isEmpty ? nil : number(of: request.cursor)
    let signal = StreamSignal()
    // Joined before the first look: what is told between the two wakes the stream.
    board.streams.join(signal, on: .inbox(account), .anyInbox)
    defer { board.streams.leave(signal) }
    let head = try await store.head()
    if let start, start > head {
      throw RPCStatus.invalidArgument(field: "cursor", problem: "is ahead of every notification")
    }
    var last = start ?? head
    try await responses.send(.init(cursor: seal.cursor(.notifications, at: last)))
    try await signal.pump { woken in
      // The board looks for all streams: a heartbeat asks the database nothing.
      if woken == .heartbeat { return .nothing }
      let entries = try await store.entries(
        of: account, after: last, limit: Self.maxWatchedPage, facts: notices.facts)
      for (index, entry) in entries.enumerated() {
        last = entry.number
        try await responses.send(
          .init(
            cursor: seal.cursor(.notifications, at: last),
            notification: Trackme_Notifications_V1_Notification(entry, notices)),
          moreToCome: index < entries.count - 1)
      }
      return entries.count == Self.maxWatchedPage ? .more : .nothing
    } beat: {
      try await responses.send(.init(cursor: seal.cursor(.notifications, at: last)))
    }
  }

  private func number(of cursor: String) throws -> NotificationNumber {
    guard let number = seal.position(.notifications, of: cursor) else {
      throw RPCStatus.invalidArgument(field: "cursor", problem: "is not a cursor of this service")
    }
    return number
  }
}

extension Seal.Kind {
  /// A place in the order of notifications.
  static let notifications = Seal.Kind(2)
}
