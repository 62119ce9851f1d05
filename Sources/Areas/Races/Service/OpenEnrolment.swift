internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// From here on the fee and the kind of entry stay as they are.
  /// - Throws: as `change`; FAILED_PRECONDITION with reason RACE_DATES once the deadline is over, and where the race
  ///   has a fee and the server no payment provider.
  public func openEnrolment(
    _ request: Trackme_Races_V1_OpenEnrolmentRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_OpenEnrolmentResponse {
    let person = try context.account()
    try await change(request.raceID, by: person, .openEnrolment) { race, now in
      guard race.schedule.enrolmentEnds > now else {
        throw RPCStatus.failure(
          .failedPrecondition, reason: "RACE_DATES",
          message: "the deadline of enrolment is over; change the dates first")
      }
      guard race.fee == nil || fees.canPay else { throw RPCStatus.noPaymentProvider }
      return try await store.open(race)
    }
    return .init(race: try await wire(request.raceID, for: person))
  }
}
