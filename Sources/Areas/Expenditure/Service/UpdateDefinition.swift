internal import Domain
internal import ExpenditureRules
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// The most characters of a text, in each language.
  private static let textMax = 4_000

  /// Replaces a definition or a step of the tutorial. Two empty texts bring back what ships, where something does.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; NOT_FOUND with reason NO_SUCH_VOICE; ABORTED with
  ///   reason STALE_ETAG.
  package func updateDefinition(
    _ request: Trackme_Expenditure_V1_UpdateDefinitionRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_UpdateDefinitionResponse {
    var violations = Violations()
    var subject = ""
    switch request.subject {
    case .code(let text):
      if VoiceCode(text) == nil { violations.add("code", "must be the code of a voice, such as BA0390") }
      subject = text
    case .step(let step):
      if !(1...ShippedTutorial.steps.count).contains(Int(step)) {
        violations.add("step", "must be 1 to \(ShippedTutorial.steps.count)")
      }
      subject = ShippedTutorial.subject(Int(step))
    case nil: violations.add("code", "must be given, or a step")
    }
    let text = request.text ?? .init()
    violations.add(
      "text.italian", PlainText.problem(text.italian, length: 0...Self.textMax, isParagraph: true))
    violations.add(
      "text.english", PlainText.problem(text.english, length: 0...Self.textMax, isParagraph: true))
    let version = Int64(request.etag)
    if request.etag.isEmpty { violations.add("etag", "must be the etag of what is replaced") }
    try violations.check()
    if case .code(let code) = request.subject, try await !storage.expenditureTexts.hasVoice(code) {
      throw RPCStatus.noSuchVoice
    }
    guard let version,
      let next = try await storage.expenditureTexts.replace(
        subject, italian: text.italian, english: text.english, version: version)
    else { throw RPCStatus.staleText }
    return .init(etag: "\(next)")
  }
}

extension RPCStatus {
  fileprivate static let staleText = failure(
    .aborted, reason: "STALE_ETAG", message: "the text has changed; get it again")
}
