internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// Who is an organiser already stays one.
  /// - Throws: as `RaceAccess.organized`; INVALID_ARGUMENT for what is no person's username; FAILED_PRECONDITION with
  ///   reason RACE_STATE; RESOURCE_EXHAUSTED with reason TOO_MANY_ORGANIZERS, or TOO_MANY_RACES of the one who is
  ///   added.
  public func addOrganizer(
    _ request: Trackme_Races_V1_AddOrganizerRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_AddOrganizerResponse {
    let person = try context.account()
    let race = try await access.organized(request.raceID, by: person)
    try Self.checkUsername(request.username)
    let now = clock()
    try race.check(.changeOrganizers, at: now)
    switch try await store.addOrganizer(request.username, to: race.id, at: now) {
    case .done: board.nudge()
    case .unchanged, .last: break
    case .noPerson:
      throw RPCStatus.invalidArgument(field: "username", problem: "is not the username of a person")
    case .tooManyOrganizers:
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_ORGANIZERS",
        message: "a race has at most \(RaceStore.maxOrganizers) organisers",
        metadata: ["limit": "\(RaceStore.maxOrganizers)"])
    case .tooManyRaces: throw RPCStatus.tooManyRaces
    }
    return .init(race: try await wire(race.id, for: person))
  }

  /// - Throws: INVALID_ARGUMENT for what can be no username.
  static func checkUsername(_ username: String) throws {
    var violations = Violations()
    violations.add("username", PlainText.problem(username, length: 1...100))
    try violations.check()
  }
}
