internal import ExpenditureRules
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// The definition of every voice of a release, in the order of their codes.
  /// - Throws: INVALID_ARGUMENT that names the field; what `edition` throws.
  package func getDictionary(
    _ request: Trackme_Expenditure_V1_GetDictionaryRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_GetDictionaryResponse {
    var violations = Violations()
    violations.addRelease(request.release, "release")
    try violations.check()
    let edition = try await edition(request.release)
    let texts = try await storage.expenditureTexts.all()
    return .init(
      entries: edition.voices.voices.enumerated().map { place, voice in
        let stored = texts[voice.code.text] ?? .none
        return .init(
          code: voice.code.text,
          definition: .init(stored, orElse: ShippedDefinitions.of(voice.code.text)),
          descriptions: edition.descriptions(place), years: edition.voiceYears[place].map { Int32(clamping: $0) },
          etag: "\(stored.version)")
      }, origin: edition.origin())
  }
}

extension Trackme_Expenditure_V1_Text {
  /// - Parameter shipped: stands in a language in which nobody has written anything.
  init(_ stored: ExpenditureTexts.Stored, orElse shipped: (italian: String, english: String)) {
    self.init(
      italian: stored.italian.isEmpty ? shipped.italian : stored.italian,
      english: stored.english.isEmpty ? shipped.english : stored.english)
  }
}
