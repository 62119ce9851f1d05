internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension AdminService {
  /// EXERCISE as long as nobody has decided anything else.
  public func getDispatchStatus(
    _ request: Trackme_Admin_V1_GetDispatchStatusRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_GetDispatchStatusResponse {
    guard let record = try await dispatchStatus.current() else { return .init(status: .exercise) }
    return .init(
      status: .init(record.status), changed: .init(record.changed), changedBy: record.changedBy, reason: record.reason)
  }

  /// Holds for what this server detects after the answer; others take it up by themselves.
  /// - Throws: INVALID_ARGUMENT. After an error of the database it may be recorded, and is taken up later.
  public func setDispatchStatus(
    _ request: Trackme_Admin_V1_SetDispatchStatusRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_SetDispatchStatusResponse {
    let administrator = try context.account()
    var violations = Violations()
    let status = DispatchStatus(rawValue: request.status.rawValue)
    if status == nil { violations.add("status", "must be EXERCISE or ACTUAL") }
    violations.add("reason", PlainText.problem(request.reason, length: 1...500))
    try violations.check()
    guard let status else { preconditionFailure("a missing status has been refused") }
    try await dispatchStatus.set(status, reason: request.reason, by: administrator)
    try await dispatchStatusChanged()
    return .init(status: request.status)
  }
}
