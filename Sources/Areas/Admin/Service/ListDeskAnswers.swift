internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import Sos
public import WireCodec

extension AdminService {
  /// The newest first, without what was noted.
  /// - Throws: INVALID_ARGUMENT for a page that can't be.
  public func listDeskAnswers(
    _ request: Trackme_Admin_V1_ListDeskAnswersRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_ListDeskAnswersResponse {
    guard request.accountID >= 0 else {
      throw RPCStatus.invalidArgument(field: "account_id", problem: "must not be negative")
    }
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("ListDeskAnswers", "\(request.accountID)"), seal)
    let found = try await deskAnswers.list(of: request.accountID, before: page.before, limit: page.size + 1)
    let shown = found.prefix(page.size)
    return .init(
      answers: shown.map { record in
        .init(
          emergencyID: "\(record.emergency)", dispatcherID: record.dispatcher,
          accountID: record.answer.person.account, name: record.answer.person.name,
          kind: .init(rawValue: record.answer.kind.rawValue), atUs: record.at)
      }, nextPageToken: page.nextToken(found: found.count, last: shown.last?.at))
  }
}
