internal import Domain
internal import ExpenditureRules
internal import ServiceKit
internal import WireCodec

extension Edition {
  /// What answers about regions are made of.
  static let accountForms: [FileForm] = [.national, .regional, .residents, .prices]
  /// What answers about bodies are made of.
  static let bodyForms: [FileForm] = [.bodies, .prices]

  /// - Parameter forms: whose sources are named.
  func origin(_ forms: [FileForm] = accountForms) -> Trackme_Expenditure_V1_Origin {
    var sources: [FigureSource] = []
    for source in forms.flatMap({ facts.sources[$0] ?? [] }) where !sources.contains(source) { sources.append(source) }
    return .init(
      release: Int64(facts.release), publishedTime: Google_Protobuf_Timestamp(facts.publishedAt),
      sources: sources.map { .init(name: $0.name, licence: $0.licence, uri: $0.uri) },
      overrideReason: facts.overrideReason)
  }

  func wire(_ voice: Int) -> Trackme_Expenditure_V1_Voice {
    let found = voices.voices[voice]
    return .init(
      code: found.code.text, description: found.description,
      parent: found.parent.map { voices.voices[$0].code.text } ?? "",
      years: voiceYears[voice].map { Int32(clamping: $0) },
      partCount: Int32(clamping: found.parts.count))
  }

  func descriptions(_ voice: Int) -> [Trackme_Expenditure_V1_Description] {
    voices.voices[voice].descriptions.map {
      .init(text: $0.text, firstYear: Int32(clamping: $0.firstYear), lastYear: Int32(clamping: $0.lastYear))
    }
  }

  /// - Parameter files: beside the edition's own.
  func wire(_ value: MeasuredValue, _ files: [Int32: SourceFile] = [:]) -> Trackme_Expenditure_V1_Value {
    func source(_ file: Int32, _ row: Int32) -> Trackme_Expenditure_V1_SourceRow? {
      guard let found = facts.files[file] ?? files[file] else { return nil }
      return .init(release: Int64(found.release), file: found.name, row: Int64(row))
    }
    let known: Trackme_Expenditure_V1_Value.OneOf_Known =
      switch value.known {
      case .number(let number): .number(number)
      case .missing(let reason): .missing(.init(rawValue: Int32(reason.rawValue)))
      }
    return .init(
      known: known, source: value.amount.flatMap { source($0.file, $0.row) },
      denominator: value.residents.map {
        .init(residents: $0.residents, date: $0.date, source: source($0.file, $0.row))
      }, amountCents: value.amount?.cents ?? 0)
  }

  func wire(_ amount: MobilityAmount) -> Trackme_Expenditure_V1_MobilityRow {
    .init(
      year: Int32(clamping: amount.year), territory: amount.account.text, publicCents: amount.publicCents,
      privateCents: amount.privateCents,
      source: facts.files[amount.file].map {
        .init(release: Int64($0.release), file: $0.name, row: Int64(amount.row))
      })
  }
}

extension Trackme_Expenditure_V1_Territory {
  init(_ account: AccountNumber) {
    self.init(
      code: account.text, name: account.name, nameEn: AccountList.english(account),
      parent: account == .italy ? "" : AccountNumber.italy.text)
  }

  init(_ body: EditionBodies.Body) {
    self.init(code: body.code.text, name: body.name, parent: body.code.account.text)
  }
}

extension Trackme_Expenditure_V1_Rank {
  init(_ own: MeasuredValue, among others: [(account: AccountNumber, value: MeasuredValue)]) {
    let ranking = Ranking(own.number, among: others.compactMap(\.value.number))
    self.init(
      place: Int32(clamping: ranking.place), of: Int32(clamping: ranking.count), tiedWith: Int32(clamping: ranking.tied)
    )
  }
}
