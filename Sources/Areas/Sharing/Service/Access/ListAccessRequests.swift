internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AccessService {
  /// Those that the caller made or was asked, the newest first.
  /// - Throws: INVALID_ARGUMENT.
  public func listAccessRequests(
    _ request: Trackme_Sharing_V1_ListAccessRequestsRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_ListAccessRequestsResponse {
    let account = try context.account()
    let states = try states(request.states)
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("access-requests", "\(account)", states.map { "\($0)" }.joined(separator: ",")),
      seal)
    let records = try await access.list(of: account, states: states, before: page.before, limit: page.size + 1)
    let shown = records.prefix(page.size)
    return .init(
      accessRequests: shown.map { wire($0, for: account) },
      nextPageToken: page.nextToken(found: records.count, last: shown.last?.id))
  }

  /// The states that are wanted, each once; none means all.
  private func states(_ wire: [Trackme_Sharing_V1_AccessState]) throws -> [AccessState] {
    guard wire.count <= 100 else {
      throw RPCStatus.invalidArgument(field: "states", problem: "has more than 100 entries")
    }
    let states = try wire.enumerated().map { index, state in
      guard let known = AccessState.allCases.first(where: { Int32($0.rawValue) == state.rawValue }) else {
        throw RPCStatus.invalidArgument(field: "states[\(index)]", problem: "is not a known state")
      }
      return known
    }
    return Set(states).sorted { $0.rawValue < $1.rawValue }
  }
}
