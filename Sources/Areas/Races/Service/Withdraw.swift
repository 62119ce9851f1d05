internal import Domain
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension RaceService {
  /// Frees the place, or the turn of who waits; in a running race it means to retire.
  /// - Throws: NOT_FOUND with reason NO_RACE for a race that the caller may not know of, or NOT_ENROLLED;
  ///   FAILED_PRECONDITION with reason RACE_STATE.
  public func withdraw(
    _ request: Trackme_Races_V1_WithdrawRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_WithdrawResponse {
    let person = try context.account()
    // Who was never enrolled learns nothing of races that are not for everyone.
    guard let before = try await storage.enrolments.enrolment(of: person, in: request.raceID) else {
      _ = try await access.visible(request.raceID, to: person)
      throw RPCStatus(.notEnrolled, to: .withdraw)
    }
    let now = clock()
    do {
      let record = try await storage.enrolments.withdraw(person, from: request.raceID, at: now)
      fees.wake()
      board.nudge()
      return .init(enrolment: .init(record))
    } catch Enrolments.Refusal.needsDecision(let state) {
      return .init(enrolment: .init(try await leave(before, in: state, at: now)))
    } catch let refusal as Enrolments.Refusal {
      throw RPCStatus(refusal, to: .withdraw)
    }
  }

  /// After the deadline, and in a running race, leaderboards depend on it: it is an entry of the log.
  private func leave(
    _ before: EnrolmentRecord, in state: RaceState, at now: Microseconds
  ) async throws -> EnrolmentRecord {
    let (kind, action): (RaceChange.Kind, RaceAction) =
      state == .running ? (.retired, .retire) : (.withdrawn, .withdraw)
    let change = RaceChange(
      race: before.race, kind: kind, persons: [before.person], author: before.person, time: now)
    // Nothing changes for who has retired already, or if the race is in another state by now.
    _ = try await storage.decisions.decide(change, as: action, reason: "")
    // A fee goes back if dates or course have changed.
    fees.wake()
    board.nudge()
    guard let after = try await storage.enrolments.enrolment(of: before.person, in: before.race) else {
      throw RPCStatus(.notEnrolled, to: .withdraw)
    }
    return after
  }
}
