internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AccessService {
  private static let pageSize = 100

  /// Changes of the caller's requests after the cursor, or from now on, in the order of the log, until the call ends.
  /// - Throws: INVALID_ARGUMENT for a cursor that is none; UNAVAILABLE when the server ends; `CancellationError`.
  public func watchAccessRequests(
    _ request: Trackme_Sharing_V1_WatchAccessRequestsRequest,
    responses: ResponseWriter<Trackme_Sharing_V1_WatchAccessRequestsResponse>, context: CallContext
  ) async throws {
    let account = try context.account()
    let start = request.cursor.isEmpty ? nil : try hub.position(of: request.cursor, field: "cursor", seal)
    let signal = StreamSignal()
    watch.streams.join(signal, on: .requests(of: account))
    defer { watch.streams.leave(signal) }
    // Read after joining: what is committed between the two is signalled.
    var position = start ?? hub.head
    try await responses.send(.init(cursor: seal.cursor(.log, at: position)))
    try await signal.pump { _ in
      // What is committed after this head is signalled.
      let head = hub.head
      let changes = try await access.changes(of: account, after: position, through: head, limit: Self.pageSize)
      for change in changes {
        position = change.position
        try await responses.send(
          .init(cursor: seal.cursor(.log, at: position), change: .init(change.change, at: position)))
      }
      if changes.count == Self.pageSize { return .more }
      position = max(position, head)
      return .nothing
    } beat: {
      try await responses.send(.init(cursor: seal.cursor(.log, at: position)))
    }
  }
}
