internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// The newest first; the codes themselves are not known here.
  /// - Throws: INVALID_ARGUMENT for a page that can't be.
  public func listThirdPartyCodes(
    _ request: Trackme_Admin_V1_ListThirdPartyCodesRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_ListThirdPartyCodesResponse {
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken, arguments: PageToken.hash("ListThirdPartyCodes"), seal)
    let found = try await codes.list(before: page.before, limit: page.size + 1)
    let shown = found.prefix(page.size)
    return .init(
      thirdPartyCodes: shown.map { .init($0) }, nextPageToken: page.nextToken(found: found.count, last: shown.last?.id))
  }
}
