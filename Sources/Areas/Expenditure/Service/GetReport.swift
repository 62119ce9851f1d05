internal import ExpenditureRules
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// What a territory spends on a voice, and on each of its parts.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; what `open` and `territory` throw.
  package func getReport(
    _ request: Trackme_Expenditure_V1_GetReportRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_GetReportResponse {
    try await report(request)
  }

  /// - Parameter path: of the request's fields, with a point at its end.
  func report(
    _ request: Trackme_Expenditure_V1_GetReportRequest, at path: String = ""
  ) async throws -> Trackme_Expenditure_V1_GetReportResponse {
    var violations = Violations()
    let fields = ViewFields(request.view, "\(path)view", &violations)
    let code = violations.territory(request.territory, "\(path)territory")
    try violations.check()
    let view = try await open(fields)
    let territory = try await territory(code, view)
    let (edition, year) = (view.edition, view.year(of: territory.figures))
    let parts = view.parts(in: year, of: [territory.figures])
    let others = code.body == nil ? view.others(view.measurement, in: year) : []
    return .init(
      view: view.wire(year), territory: territory.wire, whole: view.part(view.voice, in: year, of: territory),
      path: edition.voices.path(to: view.voice).map { edition.wire($0) },
      parts: parts.map { view.part($0, in: year, of: territory) },
      unexplainedCents: view.unexplained(parts, in: year, of: territory.figures), series: view.series(of: territory),
      others: others.map { .init(territory: $0.account.text, value: edition.wire($0.value)) },
      rank: territory.isRanked
        ? .init(view.value(view.voice, in: year, of: edition[code.account]), among: others) : nil,
      years: territory.figures.years.map { Int32(clamping: $0) }, index: view.index,
      origin: edition.origin(territory.forms))
  }
}

extension OpenView {
  /// The amount less those of its parts, each with its sign in the form; 0 where one has no amount.
  fileprivate func unexplained(_ parts: [Int], in year: Int, of figures: any TerritoryFigures) -> Int64 {
    guard !parts.isEmpty, let whole = figures.amount(voice, in: year) else { return 0 }
    var rest = Int128(whole.cents)
    for part in parts {
      guard let amount = figures.amount(part, in: year) else { return 0 }
      rest -= Int128(edition.voices.voices[part].sign) * Int128(amount.cents)
    }
    return Int64(clamping: rest)
  }
}
