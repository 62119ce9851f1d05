internal import Domain
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// Holds on every server within a second; a race that is disabled already stays as it is.
  /// - Throws: NOT_FOUND with reason NO_RACE; INVALID_ARGUMENT without a reason.
  public func disableRace(
    _ request: Trackme_Admin_V1_DisableRaceRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_DisableRaceResponse {
    try await set(request.raceID, isDisabled: true, reason: request.reason, by: try context.account())
    return .init()
  }

  /// The race is again what its dates make it.
  /// - Throws: as `disableRace`.
  public func enableRace(
    _ request: Trackme_Admin_V1_EnableRaceRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_EnableRaceResponse {
    try await set(request.raceID, isDisabled: false, reason: request.reason, by: try context.account())
    return .init()
  }

  private func set(
    _ race: RaceID, isDisabled: Bool, reason: String, by administrator: AccountID
  ) async throws {
    var violations = Violations()
    if race <= 0 { violations.add("race_id", "must be positive") }
    violations.add("reason", PlainText.problem(reason, length: 1...500, isParagraph: true))
    try violations.check()
    guard try await races.setDisabled(isDisabled, race, reason: reason, by: administrator, at: clock()) else {
      throw RPCStatus.failure(.notFound, reason: "NO_RACE", message: "there is no race of this number")
    }
  }
}
