internal import Domain
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// The most characters of a reason.
  static let maxReasonCharacters = 500

  /// Once the call has answered, the cancellation stands; who is told and paid back follows from it, also after a
  /// crash.
  /// - Throws: as `change`; INVALID_ARGUMENT for a reason of more than 500 characters.
  public func cancelRace(
    _ request: Trackme_Races_V1_CancelRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_CancelRaceResponse {
    let person = try context.account()
    var violations = Violations()
    violations.add(
      "reason", PlainText.problem(request.reason, length: 0...Self.maxReasonCharacters, isParagraph: true))
    try violations.check()
    try await end(request.raceID, by: person, .raceCancelled, as: .cancel, reason: request.reason)
    return .init(race: try await wire(request.raceID, for: person))
  }

  /// Ends a race: an entry of the log, with the news and the refunds in the same transaction.
  func end(
    _ id: RaceID, by person: PersonID, _ kind: RaceChange.Kind, as action: RaceAction, reason: String = ""
  ) async throws {
    try await change(id, by: person, action) { race, now in
      let change = RaceChange(race: race.id, kind: kind, author: person, time: now)
      return try await storage.decisions.decide(change, as: action, reason: reason) != nil
    }
    board.nudge()
  }
}
