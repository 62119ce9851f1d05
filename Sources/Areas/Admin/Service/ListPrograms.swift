internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// The newest first, also those that are revoked. Tokens are not known here.
  /// - Throws: INVALID_ARGUMENT for a kind that there is not, and for a page that can't be.
  public func listPrograms(
    _ request: Trackme_Admin_V1_ListProgramsRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_ListProgramsResponse {
    let kind: AccountKind
    switch request.kind {
    case .bridge: kind = .bridge
    case .dispatcher: kind = .dispatcher
    default: throw RPCStatus.invalidArgument(field: "kind", problem: "must be a bridge or a dispatcher")
    }
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken, arguments: PageToken.hash("ListPrograms", kind.rawValue), seal)
    let found = try await staff.list(kind, before: page.before, limit: page.size + 1)
    let shown = found.prefix(page.size)
    return .init(
      programs: shown.map { .init($0) }, nextPageToken: page.nextToken(found: found.count, last: shown.last?.account))
  }
}

extension Trackme_Admin_V1_Program {
  init(_ record: StaffAccounts.ProgramRecord) {
    self.init(
      accountID: record.account, name: record.name, priority: record.priority, created: .init(record.created),
      revoked: record.revoked.map { .init($0) })
  }
}
