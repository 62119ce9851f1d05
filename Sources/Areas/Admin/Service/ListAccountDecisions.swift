internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// The newest first; of one account where the request names it.
  /// - Throws: INVALID_ARGUMENT.
  public func listAccountDecisions(
    _ request: Trackme_Admin_V1_ListAccountDecisionsRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_ListAccountDecisionsResponse {
    guard request.accountID >= 0 else {
      throw RPCStatus.invalidArgument(field: "account_id", problem: "must not be negative")
    }
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("ListAccountDecisions", "\(request.accountID)"), seal)
    let found = try await decisions.list(
      of: request.accountID == 0 ? nil : request.accountID, before: page.before, limit: page.size + 1)
    let shown = found.prefix(page.size)
    return .init(
      decisions: shown.map { .init($0) }, nextPageToken: page.nextToken(found: found.count, last: shown.last?.id))
  }
}

extension Trackme_Admin_V1_AccountDecision {
  fileprivate init(_ record: AccountDecisionRecord) {
    self.init(
      decisionID: record.id, kind: .init(rawValue: Int32(record.kind.rawValue)), decided: .init(record.decided),
      decidedBy: record.decidedBy, codeID: record.code ?? 0, accountID: record.account ?? 0, reason: record.reason,
      before: record.before.map { .init($0) }, after: record.after.map { .init($0) })
  }
}
