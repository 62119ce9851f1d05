internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// A runner's name: at most 60 characters.
  static let maxRunnerNameCharacters = 60
  /// The secret of a private link is shorter.
  static let maxInvitationBytes = 100

  /// The place is the runner's when it returns, unless the enrolment waits: for a place, or for the payment, whose
  /// address it has if the provider has given one by then. Who is enrolled already keeps that enrolment. A text that is
  /// no secret of a link counts as a wrong one.
  /// - Throws: INVALID_ARGUMENT for the name; what `RPCStatus.init(_:to:)` makes of a refusal.
  public func enrol(
    _ request: Trackme_Races_V1_EnrolRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_EnrolResponse {
    let person = try context.account()
    var faults = Violations()
    if !request.runnerName.isEmpty {
      faults.add("runner_name", PlainText.problem(request.runnerName, length: 1...Self.maxRunnerNameCharacters))
    }
    try faults.check()
    // A text that is no secret is treated like a wrong one.
    let isLink = !request.invitation.isEmpty && request.invitation.utf8.count <= Self.maxInvitationBytes
    var record: EnrolmentRecord
    do {
      record = try await storage.enrolments.enrol(
        person, in: request.raceID, name: request.runnerName,
        link: isLink ? TokenHash(request.invitation).bytes : nil, canPay: fees.canPay, at: clock())
    } catch let refusal as Enrolments.Refusal {
      throw RPCStatus(refusal, to: .enrol)
    }
    if record.state == .awaitingPayment, record.paymentURL.isEmpty, let payment = record.payment {
      await fees.begin(payment)
      // Whatever has become of it meanwhile.
      record = try await storage.enrolments.enrolment(of: person, in: request.raceID) ?? record
    }
    return .init(enrolment: .init(record))
  }
}
