internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

// The answers of somebody whom a person has named as a contact: both are open to everyone who has the code.

extension SosService {
  /// Whom to tell holds for what is received after the answer.
  /// - Throws: INVALID_ARGUMENT; NOT_FOUND with reason NO_CONTACT_CODE; FAILED_PRECONDITION with reason
  ///   CONTACT_REFUSED; RESOURCE_EXHAUSTED with reason TOO_MANY_CONTACT_ANSWERS.
  public func confirmContact(
    _ request: Trackme_Sos_V1_ConfirmContactRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_ConfirmContactResponse {
    let code = try contactCode(request.code, context)
    switch try await contacts.confirm(code.hash) {
    case .unknown: throw RPCStatus.noContactCode
    case .refused:
      throw RPCStatus.failure(
        .failedPrecondition, reason: "CONTACT_REFUSED", message: "it was refused with this code, for good")
    case .taken(let name):
      // Who is told holds for what is received after the answer.
      try await roster.refresh()
      return .init(personName: name)
    }
  }

  /// For good: a code that was refused is never confirmed.
  /// - Throws: as `confirmContact`, but for CONTACT_REFUSED.
  public func refuseContact(
    _ request: Trackme_Sos_V1_RefuseContactRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_RefuseContactResponse {
    let code = try contactCode(request.code, context)
    guard case .taken = try await contacts.refuse(code.hash) else { throw RPCStatus.noContactCode }
    try await roster.refresh()
    return .init()
  }

  private func contactCode(_ text: String, _ context: CallContext) throws -> ContactCode {
    try contactLimit.count(context.client)
    guard let code = ContactCode(text) else {
      throw RPCStatus.invalidArgument(field: "code", problem: ContactCode.problem)
    }
    return code
  }
}

extension RPCStatus {
  fileprivate static let noContactCode = failure(
    .notFound, reason: "NO_CONTACT_CODE",
    message: "there is no such code, or it is older than \(ContactRules.answerTime / 86_400_000_000) days")
}
