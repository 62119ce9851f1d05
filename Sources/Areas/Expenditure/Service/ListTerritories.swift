internal import ExpenditureRules
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// Italy and the 21 accounts, or the bodies of one.
  /// - Throws: INVALID_ARGUMENT that names the field; what `edition` throws.
  package func listTerritories(
    _ request: Trackme_Expenditure_V1_ListTerritoriesRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_ListTerritoriesResponse {
    var violations = Violations()
    violations.addRelease(request.release, "release")
    let account = AccountNumber(request.bodiesOf)
    if !request.bodiesOf.isEmpty, account == nil || account == .italy {
      violations.add("bodies_of", "must be the code of one of the 21 accounts, such as \"041\"")
    }
    try violations.check()
    let edition = try await edition(request.release)
    guard let account else {
      return .init(territories: Edition.accounts.map { .init($0) }, origin: edition.origin())
    }
    let bodies = try await storage.bodies.list(of: account, edition)
    return .init(territories: bodies.map { .init($0) }, origin: edition.origin(Edition.bodyForms))
  }
}
