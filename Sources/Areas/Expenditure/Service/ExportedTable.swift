internal import Domain
internal import ExpenditureRules
internal import WireCodec

/// An answer as a table with what is to be known of it.
struct ExportedTable: Sendable {
  /// Of the file.
  let name: String
  private(set) var file: TableFile
  private let words: TableWords
  private let measure: Trackme_Expenditure_V1_Measure

  init(_ map: Trackme_Expenditure_V1_GetMapResponse, _ words: TableWords) {
    self.init(map.view, map.origin, map.index, voice: map.voice, subject: nil, words)
    addHeading([])
    for year in map.years {
      for value in year.values {
        addRow(year.year, value.territory, Self.name(value.territory), map.voice, value.value)
      }
    }
  }

  init(_ report: Trackme_Expenditure_V1_GetReportResponse, _ words: TableWords) {
    let voice = report.whole?.voice
    self.init(report.view, report.origin, report.index, voice: voice, subject: report.territory, words)
    addHeading([])
    let (year, territory) = (report.view?.year ?? 0, report.territory)
    for part in [report.whole].compactMap(\.self) + report.parts {
      addRow(year, territory?.code, territory?.name, part.voice, part.value)
    }
    for value in report.series where value.year != year {
      addRow(value.year, territory?.code, territory?.name, voice, value.value)
    }
    for other in report.others where other.territory != territory?.code {
      addRow(year, other.territory, Self.name(other.territory), voice, other.value)
    }
  }

  init(_ report: Trackme_Expenditure_V1_GetVoiceReportResponse, _ words: TableWords) {
    self.init(report.view, report.origin, report.index, voice: report.voice, subject: report.territory, words)
    addHeading([words.measure, words.rank])
    for value in report.measures {
      addRow(
        report.view?.year ?? 0, report.territory?.code, report.territory?.name, report.voice, value.value,
        in: value.measure, [.text(words.name(of: value.measure)), Self.rank(value.rank)])
    }
    let more = [TableFile.Cell.text(words.name(of: measure)), .empty]
    for value in report.series where value.year != report.view?.year {
      addRow(value.year, report.territory?.code, report.territory?.name, report.voice, value.value, more)
    }
    if report.territory?.code != AccountNumber.italy.text {
      for value in report.italy {
        addRow(value.year, AccountNumber.italy.text, AccountNumber.italy.name, report.voice, value.value, more)
      }
    }
  }

  init(_ comparison: Trackme_Expenditure_V1_CompareTerritoriesResponse, _ words: TableWords) {
    self.init(comparison.view, comparison.origin, comparison.index, voice: comparison.voice, subject: nil, words)
    addHeading([])
    let year = comparison.view?.year ?? 0
    for side in comparison.sides {
      let territory = side.territory
      addRow(year, territory?.code, territory?.name, comparison.voice, side.value)
      for part in side.parts { addRow(year, territory?.code, territory?.name, part.voice, part.value) }
      for value in side.series where value.year != year {
        addRow(value.year, territory?.code, territory?.name, comparison.voice, value.value)
      }
    }
  }

  init(_ mobility: Trackme_Expenditure_V1_GetMobilityResponse, _ words: TableWords) {
    self.init(nil, mobility.origin, nil, voice: nil, subject: nil, words)
    file.addRow(
      ([words.year, words.territory, words.territoryName, words.paidToPublic, words.paidToPrivate] + words.sourceRow)
        .map { .text($0) })
    for row in mobility.rows {
      file.addRow(
        [
          .whole(Int64(row.year)), .text(row.territory), .text(Self.name(row.territory) ?? ""),
          .hundredths(row.publicCents), .hundredths(row.privateCents),
        ] + Self.source(row.source))
    }
  }

  /// The notes ahead of the rows. A view is nil for patients treated elsewhere.
  private init(
    _ view: Trackme_Expenditure_V1_View?, _ origin: Trackme_Expenditure_V1_Origin?,
    _ index: Trackme_Expenditure_V1_PriceIndex?, voice: Trackme_Expenditure_V1_Voice?,
    subject: Trackme_Expenditure_V1_Territory?, _ words: TableWords
  ) {
    self.words = words
    measure = view?.measure ?? .euros
    let release = origin?.release ?? 0
    let parts = view.map { [subject?.code, $0.voice, "\($0.year)"].compactMap(\.self) } ?? ["mobility"]
    name = (["salute-trasparente"] + parts + ["r\(release)"]).joined(separator: "_") + ".csv"
    file = TableFile(words.form)
    file.addNote(words.product, words.what(view == nil ? nil : measure))
    if let voice { file.addNote(words.voice, "\(voice.code) \(voice.description)") }
    if let subject { file.addNote(words.territory, "\(subject.code) \(subject.name)") }
    file.addNote(words.prices, index.map { words.pricesOf($0.year, $0.name) } ?? words.currentPrices)
    for source in origin?.sources ?? [] {
      file.addNote(words.source, source.uri.isEmpty ? source.name : "\(source.name), \(source.uri)")
      file.addNote(words.licence, source.licence)
    }
    file.addNote(words.release, words.release(release, published: origin?.publishedTime))
    if let reason = origin?.overrideReason, !reason.isEmpty { file.addNote(words.override, reason) }
    file.addNote(words.method, words.method(view == nil ? nil : measure))
    file.addEmptyLine()
  }

  private mutating func addHeading(_ more: [String]) {
    file.addRow(
      ([words.year, words.territory, words.territoryName, words.voice, words.description] + more + [
        words.value, words.unit, words.missing, words.amount, words.residents, words.residentsDate,
      ] + words.sourceRow).map { .text($0) })
  }

  private mutating func addRow(
    _ year: Int32, _ territory: String?, _ name: String?, _ voice: Trackme_Expenditure_V1_Voice?,
    _ value: Trackme_Expenditure_V1_Value?, in measure: Trackme_Expenditure_V1_Measure? = nil,
    _ more: [TableFile.Cell] = []
  ) {
    let measure = measure ?? self.measure
    var (number, missing) = (TableFile.Cell.empty, TableFile.Cell.empty)
    switch value?.known {
    case .number(let known):
      number = measure == .share || measure == .change ? .percent(millionths: known) : .hundredths(known)
    case .missing(let reason): missing = .text(words.reason(reason))
    case nil: break
    }
    // An amount stands somewhere, whatever it is.
    let hasAmount = value?.source != nil
    file.addRow(
      [
        .whole(Int64(year)), .text(territory ?? ""), .text(name ?? ""), .text(voice?.code ?? ""),
        .text(voice?.description ?? ""),
      ] + more + [
        number, .text(words.unit(of: measure)), missing, hasAmount ? .hundredths(value?.amountCents ?? 0) : .empty,
        value?.denominator.map { .whole($0.residents) } ?? .empty,
        value?.denominator.map { .text($0.date) } ?? .empty,
      ] + Self.source(value?.source))
  }

  private static func source(_ source: Trackme_Expenditure_V1_SourceRow?) -> [TableFile.Cell] {
    guard let source else { return [.empty, .empty, .empty] }
    return [.whole(source.release), .text(source.file), .whole(source.row)]
  }

  private static func rank(_ rank: Trackme_Expenditure_V1_Rank?) -> TableFile.Cell {
    guard let rank, rank.place > 0 else { return .empty }
    return .text("\(rank.place)/\(rank.of)")
  }

  private static func name(_ territory: String) -> String? { AccountNumber(territory)?.name }
}
