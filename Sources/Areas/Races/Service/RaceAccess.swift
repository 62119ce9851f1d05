internal import Domain
internal import RacesRules
internal import RPCRuntime
internal import ServiceKit

/// Who may see a race, and who may manage it. A race that the caller may not know of is answered like one that does not
/// exist.
struct RaceAccess {
  let races: RaceStore

  /// A race that the caller may see: drafts and disabled races their organisers alone, races by invitation their organisers, runners and
  /// observers and those who are invited and give the link, and other races everyone.
  ///
  /// - Parameter invitation: the secret of the private link; may be empty.
  /// - Throws: NOT_FOUND with reason NO_RACE.
  func visible(
    _ id: RaceID, to person: PersonID, invitation: String = ""
  ) async throws -> (race: RaceRecord, roles: RaceRoles) {
    guard let race = try await races.race(id) else { throw RPCStatus.noRace }
    let hash = invitation.isEmpty ? nil : TokenHash(invitation).bytes
    let roles = try await races.role(of: person, in: id, invitation: hash)
    guard Self.isVisible(race, to: roles) else { throw RPCStatus.noRace }
    return (race, roles)
  }

  /// A race that the caller organises.
  /// - Throws: NOT_FOUND with reason NO_RACE for a race that the caller may not know of, PERMISSION_DENIED with reason
  ///   NOT_ORGANIZER for one of others.
  func organized(_ id: RaceID, by person: PersonID) async throws -> RaceRecord {
    let (race, roles) = try await visible(id, to: person)
    guard roles.isOrganizer else { throw RPCStatus.notOrganizer }
    return race
  }

  static func isVisible(_ race: RaceRecord, to roles: RaceRoles) -> Bool {
    if roles.isOrganizer { return true }
    guard race.schedule.isOpened, !race.schedule.isDisabled else { return false }
    return !race.byInvitation || roles.isRunner || roles.isObserver || roles.isInvited
  }
}

extension RPCStatus {
  static let noRace = failure(.notFound, reason: "NO_RACE", message: "there is no such race that you may see")
  static let notOrganizer = failure(
    .permissionDenied, reason: "NOT_ORGANIZER", message: "only organisers of the race can do this")

  /// FAILED_PRECONDITION with reason RACE_STATE, which names state and action, such as ENROLMENT_OPEN and CORRECT_RESULT.
  init(raceAction error: RaceActionError) {
    let (state, action) = (Self.words("\(error.state)"), Self.words("\(error.action)"))
    self = .failure(
      .failedPrecondition, reason: "RACE_STATE",
      message: "\(action) is not possible: the race is \(state)", metadata: ["state": state, "action": action])
  }

  /// "ENROLMENT_OPEN" of "enrolmentOpen".
  private static func words(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      if character.isUppercase { text.append("_") }
      text += character.uppercased()
    }
  }
}

extension RaceRecord {
  /// - Throws: FAILED_PRECONDITION with reason RACE_STATE if the race's state does not allow the action.
  func check(_ action: RaceAction, at now: Microseconds) throws {
    do throws(RaceActionError) { try schedule.state(at: now).check(action) } catch {
      throw RPCStatus(raceAction: error)
    }
  }
}
