internal import Domain
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService {
  package func getGroupBudget(
    _ request: Trackme_Groups_V1_GetGroupBudgetRequest, context: CallContext
  ) async throws -> Trackme_Groups_V1_GetGroupBudgetResponse {
    guard let year = CalendarDate(utc: clock())?.year else { throw RPCStatus.tooBusy }
    return .init(budget: try await budget(of: try context.account(), in: year))
  }
}
