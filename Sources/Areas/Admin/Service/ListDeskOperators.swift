internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import Sos
public import WireCodec

extension AdminService {
  /// The newest first, also those who are revoked.
  /// - Throws: INVALID_ARGUMENT for a page that can't be.
  public func listDeskOperators(
    _ request: Trackme_Admin_V1_ListDeskOperatorsRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_ListDeskOperatorsResponse {
    guard request.dispatcherID >= 0 else {
      throw RPCStatus.invalidArgument(field: "dispatcher_id", problem: "must not be negative")
    }
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("ListDeskOperators", "\(request.dispatcherID)"), seal)
    let found = try await deskOperators.list(of: request.dispatcherID, before: page.before, limit: page.size + 1)
    let shown = found.prefix(page.size)
    return .init(
      deskOperators: shown.map { .init($0) },
      nextPageToken: page.nextToken(found: found.count, last: shown.last?.account))
  }
}
