internal import ExpenditureRules
package import ServiceAPI
package import WireCodec

extension ExpenditureService {
  /// The steps of the tutorial: what ships, and what administrators have written in its place.
  package func getTutorial(
    _ request: Trackme_Expenditure_V1_GetTutorialRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_GetTutorialResponse {
    let texts = try await storage.expenditureTexts.all()
    return .init(
      steps: ShippedTutorial.steps.enumerated().map { index, step in
        let stored = texts[ShippedTutorial.subject(index + 1)] ?? .none
        return .init(
          number: Int32(index + 1), control: step.control,
          text: .init(stored, orElse: (step.italian, step.english)), etag: "\(stored.version)")
      })
  }
}
