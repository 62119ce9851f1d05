internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension SosService {
  /// Holds for what is received after the answer.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; FAILED_PRECONDITION with reason NO_ACCOUNT.
  public func setThreshold(
    _ request: Trackme_Sos_V1_SetThresholdRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_SetThresholdResponse {
    let person = try context.account()
    var violations = Violations()
    guard let wire = request.threshold else {
      throw RPCStatus.invalidArgument(field: "threshold", problem: "must be given")
    }
    let metric = metrics.catalog.scalar(wire.metric, "threshold.metric", &violations)
    let threshold = metric.map { Threshold(wire, of: $0, "threshold", &violations) }
    try violations.check()
    guard let metric, let threshold else { preconditionFailure("an unknown metric has been refused") }
    guard try await store.set(threshold, of: metric.id, for: person) != nil else { throw RPCStatus.noAccount }
    // They hold for what is received after the answer.
    try await roster.refresh()
    return .init(
      threshold: .init(threshold, of: metric, isDefault: false), ruleVersion: try await rules(of: person).version)
  }
}
