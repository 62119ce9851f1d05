internal import Domain
internal import RacesRules
internal import RPCRuntime
internal import ServiceAPI
internal import WireCodec

extension RaceService {
  /// How often a change is tried while others change the same race.
  private static let attempts = 10

  /// Changes a race that the caller organises, if its state allows the action.
  ///
  /// - Parameter attempt: changes the race as it stands at a time; false: it has changed meanwhile, and is looked at again.
  /// - Throws: what `attempt` throws; `RaceAccess.organized`'s; FAILED_PRECONDITION with reason RACE_STATE; ABORTED if others
  ///   do not stop changing it.
  func change(
    _ id: RaceID, by person: PersonID, _ action: RaceAction,
    _ attempt: (RaceRecord, _ now: Microseconds) async throws -> Bool
  ) async throws {
    for _ in 0..<Self.attempts {
      let now = clock()
      let race = try await access.organized(id, by: person)
      try race.check(action, at: now)
      if try await attempt(race, now) { return }
    }
    throw RPCStatus.raceBusy
  }
}

extension RPCStatus {
  static let raceBusy = failure(
    .aborted, reason: "RACE_BUSY", message: "others are changing the race; try again")
}
