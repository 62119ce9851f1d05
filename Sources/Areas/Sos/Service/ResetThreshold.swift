internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension SosService {
  /// Holds for what is received after the answer, which has no threshold where none holds for the metric now.
  /// - Throws: INVALID_ARGUMENT; FAILED_PRECONDITION with reason NO_ACCOUNT.
  public func resetThreshold(
    _ request: Trackme_Sos_V1_ResetThresholdRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_ResetThresholdResponse {
    let person = try context.account()
    var violations = Violations()
    let metric = metrics.catalog.scalar(request.metric, "metric", &violations)
    try violations.check()
    guard let metric else { preconditionFailure("an unknown metric has been refused") }
    guard try await store.set(nil, of: metric.id, for: person) != nil else { throw RPCStatus.noAccount }
    try await roster.refresh()
    let rules = try await rules(of: person)
    return .init(
      threshold: rules.thresholds[metric.id].map { .init($0, of: metric, isDefault: true) },
      ruleVersion: rules.version)
  }
}
