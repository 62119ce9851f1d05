internal import ExpenditureRules
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// One measure of a voice for all territories and years.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; what `open` throws.
  package func getMap(
    _ request: Trackme_Expenditure_V1_GetMapRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_GetMapResponse {
    try await map(request)
  }

  /// - Parameter path: of the request's fields, with a point at its end.
  func map(
    _ request: Trackme_Expenditure_V1_GetMapRequest, at path: String = ""
  ) async throws -> Trackme_Expenditure_V1_GetMapResponse {
    var violations = Violations()
    let fields = ViewFields(request.view, "\(path)view", &violations)
    try violations.check()
    let view = try await open(fields)
    let edition = view.edition
    return .init(
      view: view.wire(view.year()), voice: edition.wire(view.voice),
      years: edition.years(of: view.voice).map { year in
        .init(
          year: Int32(clamping: year),
          values: Edition.accounts.map { account in
            .init(
              territory: account.text, value: edition.wire(view.value(view.voice, in: year, of: edition[account])))
          })
      }, index: view.index, origin: edition.origin())
  }
}
