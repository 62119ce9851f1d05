internal import Domain
internal import ExpenditureRules
internal import Log
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// Shows a draft to everybody, and takes older drafts away: what a published release shows never changes.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; NOT_FOUND with reason NO_SUCH_RELEASE; ABORTED with reason
  ///   STALE_ETAG; FAILED_PRECONDITION with reason CHECKS_FAILED, which says how many of which, or RELEASE_PUBLISHED;
  ///   RESOURCE_EXHAUSTED with reason IMPORT_RUNNING.
  package func publishRelease(
    _ request: Trackme_Expenditure_V1_PublishReleaseRequest, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_PublishReleaseResponse {
    var violations = Violations()
    let number = Int32(exactly: request.number).map { Int64($0) } ?? 0
    if number < 1 { violations.add("number", "must be that of a release") }
    violations.add("override_reason", Self.problem(ofReason: request.overrideReason))
    if request.etag.isEmpty { violations.add("etag", "must be the etag of the draft") }
    try violations.check()
    let (reason, etag, now) = (request.overrideReason, request.etag, clock())
    do {
      return .init(
        release: try await storage.pools.upkeep.withConnection { connection in
          try ReleaseStore.publish(number, reason: reason, etag: etag, at: now, connection)
        })
    } catch let error as ReleaseError {
      throw RPCStatus(error)
    }
  }

  /// To be read after the field's name; nil: none.
  static func problem(ofReason reason: String) -> String? {
    reason.isEmpty ? nil : PlainText.problem(reason, length: 20...1_000, isParagraph: true)
  }
}

extension RPCStatus {
  init(_ error: ReleaseError) {
    switch error {
    case .busy:
      self = .failure(
        .resourceExhausted, reason: "IMPORT_RUNNING",
        message: "another import of figures is running; try again when it is over")
    case .missing:
      self = .failure(.notFound, reason: "NO_SUCH_RELEASE", message: "there is no such release")
    case .stale:
      self = .failure(.aborted, reason: "STALE_ETAG", message: "the release has changed; get it again")
    case .alreadyPublished:
      self = .failure(
        .failedPrecondition, reason: "RELEASE_PUBLISHED", message: "the release is published already")
    case .checksFailed(let counts):
      self = .failure(
        .failedPrecondition, reason: "CHECKS_FAILED",
        message:
          "checks failed: \(counts.map { "\($0.kind.words) \($0.failed) of \($0.made)" }.joined(separator: ", "))",
        metadata: Dictionary(uniqueKeysWithValues: counts.map { ($0.kind.name, "\($0.failed)") }))
    }
  }
}

extension CheckKind {
  /// In the metadata of errors.
  var name: String {
    switch self {
    case .nationalSum: "national_sum"
    case .consolidated: "consolidated"
    case .parts: "parts"
    case .result: "result"
    case .unknownVoice: "unknown_voice"
    case .jump: "jump"
    }
  }

  /// For people, before a count.
  var words: String {
    switch self {
    case .nationalSum: "national account against the sum of regions"
    case .consolidated: "regions against their consolidated body 999"
    case .parts: "totals against their parts"
    case .result: "results before taxes"
    case .unknownVoice: "codes that no other account has"
    case .jump: "large changes over the year"
    }
  }
}
