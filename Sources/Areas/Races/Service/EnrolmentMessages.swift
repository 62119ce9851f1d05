internal import Identity
internal import RacesRules
internal import RPCRuntime
internal import ServiceKit
internal import WireCodec

extension Trackme_Races_V1_Enrolment {
  /// - Parameter isForOrganizer: whether the account's name is shown.
  init(_ record: EnrolmentRecord, isForOrganizer: Bool = false) {
    // Of an enrolment that holds a place or waits for one; what became of an earlier payment is shown too.
    let isPending = record.paymentState == .pending && record.state == .awaitingPayment
    self.init(
      raceID: record.race, state: .init(rawValue: Int32(record.state.rawValue)), number: record.number,
      runnerName: record.runnerName, waitingPosition: record.waitingPosition,
      paymentState: .init(rawValue: Int32(record.paymentState?.rawValue ?? 0)),
      paymentURL: isPending && !isForOrganizer ? record.paymentURL : "",
      heldUntil: record.heldUntil.map { .init($0) }, isPresent: record.isPresent,
      isDisqualified: record.isDisqualified, username: isForOrganizer ? record.username : "")
  }
}

extension RPCStatus {
  /// What a refusal about an enrolment is to the caller.
  init(_ refusal: Enrolments.Refusal, to action: RaceAction) {
    switch refusal {
    case .noRace: self = .noRace
    case .notEnrolled:
      self = .failure(.notFound, reason: "NOT_ENROLLED", message: "you have no enrolment in this race")
    case .state(let state), .needsDecision(let state):
      self = RPCStatus(raceAction: RaceActionError(action: action, state: state))
    case .notInvited:
      self = .failure(
        .permissionDenied, reason: "NOT_INVITED", message: "only invited persons who follow the private link can enrol")
    case .noPaymentProvider: self = .noPaymentProvider
    case .noAccount: self = .noAccount
    }
  }

  /// A race has a fee, and there is nobody to pay to.
  static let noPaymentProvider = failure(
    .failedPrecondition, reason: "NO_PAYMENT_PROVIDER",
    message: "the race has a fee, and this server has no payment provider")
}
