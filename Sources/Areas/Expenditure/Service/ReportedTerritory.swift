internal import ExpenditureRules
internal import RPCRuntime
internal import WireCodec

/// A territory with its accounts, wherever they are kept.
struct ReportedTerritory: Sendable {
  let code: TerritoryCode
  let wire: Trackme_Expenditure_V1_Territory
  let figures: any TerritoryFigures
  /// Of a body's amounts.
  let files: [Int32: SourceFile]

  /// Whether it is one of the 21 accounts, which are ranked.
  var isRanked: Bool { code.body == nil && code.account != .italy }
  var forms: [FileForm] { code.body == nil ? Edition.accountForms : Edition.bodyForms }
}

extension ExpenditureService {
  /// - Throws: NOT_FOUND with reason NO_SUCH_TERRITORY.
  func territory(_ code: TerritoryCode, _ view: OpenView) async throws -> ReportedTerritory {
    if code.body == nil {
      return ReportedTerritory(
        code: code, wire: .init(code.account), figures: view.edition[code.account], files: [:])
    }
    let tree = view.edition.voices
    let voices = Set([view.voice] + tree.voices[view.voice].parts + [tree[.costs]].compactMap(\.self))
    guard let found = try await storage.bodies.find(code, voices, view.edition) else {
      throw RPCStatus.noSuchTerritory
    }
    return ReportedTerritory(code: code, wire: .init(found.body), figures: found.figures, files: found.files)
  }
}

extension OpenView {
  /// - Parameter measurement: nil: the view's.
  func wire(
    _ voice: Int, in year: Int, of territory: ReportedTerritory, _ measurement: Measurement? = nil
  ) -> Trackme_Expenditure_V1_Value {
    edition.wire((measurement ?? self.measurement).value(voice, in: year, of: territory.figures), territory.files)
  }

  func part(_ voice: Int, in year: Int, of territory: ReportedTerritory) -> Trackme_Expenditure_V1_Part {
    .init(voice: edition.wire(voice), value: wire(voice, in: year, of: territory))
  }

  /// The view's measure by year, of the edition's years; of a body's own, as only these are its form's.
  func series(of territory: ReportedTerritory) -> [Trackme_Expenditure_V1_YearValue] {
    (territory.code.body == nil ? edition.years : territory.figures.years).map { year in
      .init(year: Int32(clamping: year), value: wire(voice, in: year, of: territory))
    }
  }
}
