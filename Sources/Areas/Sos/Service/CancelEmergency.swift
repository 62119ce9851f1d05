internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension SosService {
  /// Returns when the desk has noted it; those who were told are told on from there. Once more changes nothing.
  /// - Throws: NOT_FOUND with reason NO_EMERGENCY; FAILED_PRECONDITION with reason TOO_LATE or EMERGENCY_OVER.
  public func cancelEmergency(
    _ request: Trackme_Sos_V1_CancelEmergencyRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_CancelEmergencyResponse {
    let person = try context.account()
    if !request.reason.isEmpty, let problem = PlainText.problem(request.reason, length: 1...500, isParagraph: true) {
      throw RPCStatus.invalidArgument(field: "reason", problem: problem)
    }
    let known = try await emergency(request.emergencyID, of: person)
    switch await desk?.cancel(known.id, by: person, reason: request.reason) ?? .unknown {
    case .cancelled(let emergency): return .init(emergency: await wire(emergency))
    case .tooLate(let state): throw RPCStatus.notCancellable(state)
    case .unknown:
      // Over for so long that only the database knows it.
      guard known.state == .cancelled else { throw RPCStatus.notCancellable(known.state) }
      return .init(emergency: await wire(known))
    }
  }
}

extension RPCStatus {
  fileprivate static func notCancellable(_ state: EmergencyState) -> RPCStatus {
    state.isFinal
      ? failure(.failedPrecondition, reason: "EMERGENCY_OVER", message: "the emergency is over")
      : failure(
        .failedPrecondition, reason: "TOO_LATE",
        message: "an emergency can be cancelled within 10 minutes after it was detected: tell those who help")
  }
}
