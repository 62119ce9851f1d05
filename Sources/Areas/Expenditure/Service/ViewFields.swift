internal import ExpenditureRules
internal import RPCRuntime
internal import ServiceKit
internal import WireCodec

/// What a view asks for, as far as that can be told without figures.
struct ViewFields: Sendable {
  let release: Int64
  /// Nil: the newest that has the voice.
  let year: Int?
  let voice: VoiceCode
  let measure: Measure
  /// Nil: current prices.
  let pricesOf: Int?
  /// Where the view is in the request.
  let field: String

  /// Years that can be asked for, whether there are figures or not.
  static let years = 1900...2200

  /// - Parameter wire: nil: everything is left open.
  init(_ wire: Trackme_Expenditure_V1_View?, _ field: String, _ violations: inout Violations) {
    let wire = wire ?? .init()
    self.field = field
    release = wire.release
    violations.addRelease(wire.release, "\(field).release")
    func year(_ year: Int32, _ name: String) -> Int? {
      if year != 0, !Self.years.contains(Int(year)) {
        violations.add("\(field).\(name)", "must be 0, or a year from 1900 to 2200")
      }
      return year == 0 ? nil : Int(year)
    }
    self.year = year(wire.year, "year")
    pricesOf = year(wire.pricesOf, "prices_of")
    let voice = wire.voice.isEmpty ? .costs : VoiceCode(wire.voice)
    if voice == nil { violations.add("\(field).voice", "must be the code of a voice, such as BA0390") }
    self.voice = voice ?? .costs
    if case .unrecognized = wire.measure { violations.add("\(field).measure", "must be a Measure") }
    measure = Measure(rawValue: Int(wire.measure.rawValue)) ?? .euros
  }
}

/// A view with the figures that it is of.
struct OpenView: Sendable {
  let edition: Edition
  /// By its place in the tree.
  let voice: Int
  let measurement: Measurement
  let fields: ViewFields

  /// The year that is shown: what was asked for, otherwise the newest with the voice in these figures, in any account,
  /// in the form.
  func year(of figures: (any TerritoryFigures)? = nil) -> Int {
    if let year = fields.year { return year }
    if let figures, let year = figures.years.last(where: { figures.amount(voice, in: $0) != nil }) { return year }
    return edition.years(of: voice).last ?? edition.voices.voices[voice].lastYear
  }

  /// The view with nothing left open.
  func wire(_ year: Int) -> Trackme_Expenditure_V1_View {
    .init(
      release: Int64(edition.facts.release), year: Int32(clamping: year), voice: edition.voices.voices[voice].code.text,
      measure: .init(rawValue: Int32(fields.measure.rawValue)), pricesOf: Int32(clamping: fields.pricesOf ?? 0))
  }

  /// Where amounts are in the prices of another year.
  var index: Trackme_Expenditure_V1_PriceIndex? {
    fields.pricesOf.map {
      .init(name: edition.facts.sources[.prices]?.first?.name ?? "", year: Int32(clamping: $0))
    }
  }

  /// The parts that accounts of a year have, where one of some territories goes deeper.
  func parts(in year: Int, of territories: [any TerritoryFigures]) -> [Int] {
    let all = edition.voices.voices[voice].parts
    let reported = all.filter { part in territories.contains { $0.amount(part, in: year) != nil } }
    if reported.isEmpty { return [] }
    return all.filter { reported.contains($0) || edition.voiceYears[$0].contains(year) }
  }

  func value(_ voice: Int, in year: Int, of figures: some TerritoryFigures) -> MeasuredValue {
    measurement.value(voice, in: year, of: figures)
  }

  /// A measure of the 21 accounts, in the order of their codes.
  func others(_ measurement: Measurement, in year: Int) -> [(account: AccountNumber, value: MeasuredValue)] {
    AccountList.all.map { ($0, measurement.value(voice, in: year, of: edition[$0])) }
  }
}

extension Violations {
  mutating func addRelease(_ release: Int64, _ field: String) {
    if release < 0 { add(field, "must be 0, or the number of a release") }
  }

  /// - Returns: Italy where there is a violation.
  mutating func territory(_ text: String, _ field: String) -> TerritoryCode {
    let code = TerritoryCode(text)
    if code == nil {
      add(field, "must be \"IT\", the code of one of the 21 accounts such as \"041\", or of a body such as \"010203\"")
    }
    return code ?? .italy
  }
}

extension ExpenditureService {
  /// - Throws: NOT_FOUND with reason NO_SUCH_RELEASE; FAILED_PRECONDITION with reason NO_FIGURES.
  func edition(_ release: Int64) async throws -> Edition {
    if let edition = try await storage.editions.edition(release) { return edition }
    throw release == 0 ? RPCStatus.noFigures : .noSuchRelease
  }

  /// - Throws: what `edition` throws; NOT_FOUND with reason NO_SUCH_VOICE.
  func open(_ fields: ViewFields) async throws -> OpenView {
    let edition = try await edition(fields.release)
    guard let voice = edition.voices[fields.voice] else { throw RPCStatus.noSuchVoice }
    return OpenView(
      edition: edition, voice: voice, measurement: Measurement(fields.measure, pricesOf: fields.pricesOf, of: edition),
      fields: fields)
  }
}

extension RPCStatus {
  static let noFigures = failure(
    .failedPrecondition, reason: "NO_FIGURES", message: "no figures have been published yet")
  static let noSuchRelease = failure(
    .notFound, reason: "NO_SUCH_RELEASE", message: "there is no published release with this number")
  static let noSuchVoice = failure(.notFound, reason: "NO_SUCH_VOICE", message: "the release has no such voice")
  static let noSuchTerritory = failure(
    .notFound, reason: "NO_SUCH_TERRITORY", message: "the release has no such body of the health service")
}
