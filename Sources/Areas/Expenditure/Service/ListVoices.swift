internal import ExpenditureRules
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// The tree of voices, each before its parts.
  /// - Throws: INVALID_ARGUMENT that names the field; what `edition` throws.
  package func listVoices(
    _ request: Trackme_Expenditure_V1_ListVoicesRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_ListVoicesResponse {
    var violations = Violations()
    violations.addRelease(request.release, "release")
    try violations.check()
    let edition = try await edition(request.release)
    return .init(
      voices: edition.voices.order.map { edition.wire($0) }, years: edition.years.map { Int32(clamping: $0) },
      priceYears: edition.priceYears.map { Int32(clamping: $0) }, origin: edition.origin())
  }
}
