internal import ExpenditureRules
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// What territories pay for their residents who are treated elsewhere.
  /// - Throws: INVALID_ARGUMENT that names the field; what `edition` throws.
  package func getMobility(
    _ request: Trackme_Expenditure_V1_GetMobilityRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_GetMobilityResponse {
    try await mobility(request)
  }

  /// - Parameter path: of the request's fields, with a point at its end.
  func mobility(
    _ request: Trackme_Expenditure_V1_GetMobilityRequest, at path: String = ""
  ) async throws -> Trackme_Expenditure_V1_GetMobilityResponse {
    var violations = Violations()
    violations.addRelease(request.release, "\(path)release")
    try violations.check()
    let edition = try await edition(request.release)
    return .init(rows: edition.mobility.map { edition.wire($0) }, origin: edition.origin([.mobility]))
  }
}
