internal import Crypto
internal import ExpenditureRules
internal import Log
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// Published ones to everybody, drafts to administrators as well; the newest first.
  /// - Throws: INVALID_ARGUMENT for a page size below 0 and for a page token that is none.
  package func listReleases(
    _ request: Trackme_Expenditure_V1_ListReleasesRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_ListReleasesResponse {
    let isAdministrator = try await isAdministrator(context)
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("expenditure releases", "\(isAdministrator)"), storage.seal, defaultSize: 20,
      maxSize: 50)
    let found = try await storage.figureReleases.list(
      isWithDrafts: isAdministrator, before: page.before, limit: page.size + 1)
    let shown = Array(found.prefix(page.size))
    return .init(releases: shown, nextPageToken: page.nextToken(found: found.count, last: shown.last?.number))
  }

  /// An RPC for anyone looks at no token, so the handler does: who has none, or one of nobody, sees what everybody sees.
  private func isAdministrator(_ context: CallContext) async throws -> Bool {
    guard let header = context.call.headers("authorization").first, header.utf8.count <= 256,
      header.prefix(7).lowercased() == "bearer "
    else { return false }
    let hash = SHA256.hash(of: Array(header.utf8.dropFirst(7)))
    if case .administrator? = try await storage.tokens.holder(tokenHash: hash)?.principal { return true }
    return false
  }
}
