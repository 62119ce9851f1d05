internal import ExpenditureRules
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// The most sides of a comparison.
  private static let sidesMax = 5

  /// One measure of a voice and its parts, of two to five territories.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; what `open` throws.
  package func compareTerritories(
    _ request: Trackme_Expenditure_V1_CompareTerritoriesRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_CompareTerritoriesResponse {
    try await comparison(request)
  }

  /// - Parameter path: of the request's fields, with a point at its end.
  func comparison(
    _ request: Trackme_Expenditure_V1_CompareTerritoriesRequest, at path: String = ""
  ) async throws -> Trackme_Expenditure_V1_CompareTerritoriesResponse {
    var violations = Violations()
    let fields = ViewFields(request.view, "\(path)view", &violations)
    if !(2...Self.sidesMax).contains(request.territories.count) {
      violations.add("\(path)territories", "must be 2 to \(Self.sidesMax)")
    }
    var accounts: [AccountNumber] = []
    for (index, text) in request.territories.prefix(Self.sidesMax).enumerated() {
      let field = "\(path)territories[\(index)]"
      guard let account = AccountNumber(text) else {
        violations.add(field, "must be \"IT\", or the code of one of the 21 accounts such as \"041\"")
        continue
      }
      if accounts.contains(account) { violations.add(field, "must be another one than those before") }
      accounts.append(account)
    }
    try violations.check()
    let view = try await open(fields)
    let edition = view.edition
    let sides = accounts.map { account in
      ReportedTerritory(
        code: TerritoryCode(account), wire: .init(account), figures: edition[account], files: [:])
    }
    let year = view.year()
    let parts = view.parts(in: year, of: sides.map(\.figures))
    return .init(
      view: view.wire(year), voice: edition.wire(view.voice),
      sides: sides.map { side in
        .init(
          territory: side.wire, value: view.wire(view.voice, in: year, of: side),
          parts: parts.map { view.part($0, in: year, of: side) }, series: view.series(of: side))
      }, index: view.index, origin: edition.origin())
  }
}
