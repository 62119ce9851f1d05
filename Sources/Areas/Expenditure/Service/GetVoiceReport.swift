internal import ExpenditureRules
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// All that is known about one voice of one territory.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; what `open` and `territory` throw.
  package func getVoiceReport(
    _ request: Trackme_Expenditure_V1_GetVoiceReportRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_GetVoiceReportResponse {
    try await voiceReport(request)
  }

  /// - Parameter path: of the request's fields, with a point at its end.
  func voiceReport(
    _ request: Trackme_Expenditure_V1_GetVoiceReportRequest, at path: String = ""
  ) async throws -> Trackme_Expenditure_V1_GetVoiceReportResponse {
    var violations = Violations()
    let fields = ViewFields(request.view, "\(path)view", &violations)
    let code = violations.territory(request.territory, "\(path)territory")
    try violations.check()
    let view = try await open(fields)
    let territory = try await territory(code, view)
    let (edition, year) = (view.edition, view.year(of: territory.figures))
    let measures = Measure.allCases.map { measure -> Trackme_Expenditure_V1_MeasureValue in
      let measurement = Measurement(measure, pricesOf: fields.pricesOf, of: edition)
      return .init(
        measure: .init(rawValue: Int32(measure.rawValue)),
        value: view.wire(view.voice, in: year, of: territory, measurement),
        rank: territory.isRanked
          ? .init(
            measurement.value(view.voice, in: year, of: edition[code.account]),
            among: view.others(measurement, in: year)) : nil)
    }
    let italy = ReportedTerritory(
      code: .italy, wire: .init(.italy), figures: edition[.italy], files: [:])
    return .init(
      view: view.wire(year), territory: territory.wire, voice: edition.wire(view.voice),
      path: edition.voices.path(to: view.voice).map { edition.wire($0) },
      descriptions: edition.descriptions(view.voice),
      measures: measures, series: view.series(of: territory), italy: view.series(of: italy), index: view.index,
      origin: edition.origin(territory.code.body == nil ? Edition.accountForms : [.bodies] + Edition.accountForms))
  }
}
