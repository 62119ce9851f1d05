internal import Domain
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService {
  /// Replaces what the caller shares; it holds from a position in the log that is before the answer.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; ABORTED with reason STALE_ETAG; RESOURCE_EXHAUSTED with
  ///   reason TOO_MANY_CHANGES; FAILED_PRECONDITION with reason NO_ACCOUNT.
  package func updateAnonymousSharing(
    _ request: Trackme_Groups_V1_UpdateAnonymousSharingRequest, context: CallContext
  ) async throws -> Trackme_Groups_V1_UpdateAnonymousSharingResponse {
    let person = try context.account()
    var violations = Violations()
    if request.etag.isEmpty { violations.add("etag", "must be the etag of what is shared") }
    let chosen = violations.metrics(request.metrics, "metrics", count: 0...Self.metricsMax, in: metrics.catalog)
    try violations.check()
    let known = try await sharing(of: person)
    guard request.etag == "\(known.version)" else { throw RPCStatus.staleSharing }
    if chosen == Set(known.countsFrom.keys) { return .init(sharing: wire(known)) }
    switch try await sharing.change(known, of: person, to: chosen, at: clock()) {
    case .changed: return .init(sharing: wire(try await sharing(of: person)))
    case .stale: throw RPCStatus.staleSharing
    case .tooOften: throw RPCStatus.tooManySharingChanges
    }
  }
}

extension RPCStatus {
  fileprivate static let staleSharing = failure(
    .aborted, reason: "STALE_ETAG", message: "what is shared has changed; get it again")

  fileprivate static let tooManySharingChanges = failure(
    .resourceExhausted, reason: "TOO_MANY_CHANGES",
    message: """
      what is shared anonymously may be changed \(AnonymousSharingStore.changesMax) times in 24 hours; it can be \
      withdrawn at any time
      """)
}
