internal import Domain
internal import Emergencies
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension DispatchService {
  /// What holds is on disk, with who has said it, when this is answered; the database is not waited for.
  /// - Throws: INVALID_ARGUMENT; as `DeskRoster.worker`; NOT_FOUND with reason NO_CALL; FAILED_PRECONDITION with reason
  ///   CALL_TAKEN or CALL_OVER; RESOURCE_EXHAUSTED with reason TOO_MANY_ANSWERS; UNAVAILABLE with reason RESEND.
  public func answerCall(
    _ request: Trackme_Sos_V1_AnswerCallRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_AnswerCallResponse {
    var violations = Violations()
    let id = EmergencyID(request.emergencyID)
    if id == nil { violations.add("emergency_id", "must be the emergency_id of a call") }
    let kind = DispatcherAnswer(rawValue: request.kind.rawValue)
    if kind == nil { violations.add("kind", "must be a known value other than unspecified") }
    violations.add("note", PlainText.problem(request.note, length: 0...Self.maxNote, isParagraph: true))
    try violations.check()
    let worker = try await roster.worker(try context.account())
    guard let id, let kind, let staff else { throw RPCStatus.noCall }
    let outcome = await staff.answer(
      id, DeskAnswer(kind: kind, person: worker.person), note: request.note, ofDesk: worker.dispatcher,
      isGone: { [roster] in roster.isGone($0) })
    switch outcome {
    case .unknown: throw RPCStatus.noCall
    case .unsafe: throw RPCStatus.answerNotSafe
    case .decided(let verdict, let call):
      switch verdict {
      case .taken, .known: return .init(call: message(of: call))
      case .late(let holder): throw RPCStatus.callTaken(by: holder)
      case .over(let state): throw RPCStatus.callOver(call, state)
      case .tooMany: throw RPCStatus.tooManyAnswers
      }
    }
  }
}

extension RPCStatus {
  fileprivate static let noCall = failure(
    .notFound, reason: "NO_CALL", message: "there is no such call of this dispatcher")
  fileprivate static let answerNotSafe = failure(
    .unavailable, reason: "RESEND", message: "the answer is not known to be on disk; answer again")
  fileprivate static let tooManyAnswers = failure(
    .resourceExhausted, reason: "TOO_MANY_ANSWERS",
    message: "this call was answered \(Emergency.maxDeskAnswers) times: it can be closed, and not be refused any more")

  /// Somebody has it, by name where it is somebody at this desk.
  fileprivate static func callTaken(by holder: CallHolder) -> RPCStatus {
    switch holder {
    case .person(let person):
      failure(
        .failedPrecondition, reason: "CALL_TAKEN", message: "\(person.name) has this call",
        metadata: ["account_id": "\(person.account)", "name": person.name])
    case .program:
      failure(.failedPrecondition, reason: "CALL_TAKEN", message: "the dispatcher's program has this call")
    case .another, .nobody:
      failure(.failedPrecondition, reason: "CALL_TAKEN", message: "another dispatcher has this call")
    }
  }

  /// It stays as it ended, by name where somebody at this desk has ended it.
  fileprivate static func callOver(_ call: DeskCall, _ state: EmergencyState) -> RPCStatus {
    let how = state == .resolved ? "resolved" : "cancelled"
    guard let last = call.answers.last, last.transition.state == state else {
      return failure(.failedPrecondition, reason: "CALL_OVER", message: "this call is \(how)")
    }
    let person = last.answer.person
    return failure(
      .failedPrecondition, reason: "CALL_OVER", message: "this call is \(how), says \(person.name)",
      metadata: ["account_id": "\(person.account)", "name": person.name])
  }
}
