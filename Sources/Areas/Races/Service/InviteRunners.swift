internal import Domain
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  private static let maxUsernames = 1_000

  /// The answer is the same whether there are persons of these names or not. The secret of the private link is in the
  /// first one only: the server keeps its hash.
  /// - Throws: as `RaceAccess.organized`; FAILED_PRECONDITION with reason NOT_BY_INVITATION or RACE_STATE;
  ///   RESOURCE_EXHAUSTED with reason TOO_MANY_INVITED or TOO_MANY_INVITATIONS.
  public func inviteRunners(
    _ request: Trackme_Races_V1_InviteRunnersRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_InviteRunnersResponse {
    let person = try context.account()
    let race = try await access.organized(request.raceID, by: person)
    try Self.checkUsernames(request.usernames)
    try race.check(.invite, at: clock())
    guard race.byInvitation else { throw RPCStatus.notByInvitation }
    let secret = InvitationSecret()
    let isNewLink: Bool?
    do {
      isNewLink = try await storage.invitations.invite(
        request.usernames, to: race.id, link: TokenHash(secret.text).bytes, by: person,
        states: RaceState.allowing(.invite), at: clock())
    } catch let refusal as Invitations.Refusal {
      throw RPCStatus(refusal)
    }
    guard let isNewLink else {
      // It has changed at this moment.
      try await access.organized(race.id, by: person).check(.invite, at: clock())
      throw RPCStatus.notByInvitation
    }
    // The same whether there are such persons or not.
    return .init(invitation: isNewLink ? secret.text : "")
  }

  /// - Throws: INVALID_ARGUMENT.
  static func checkUsernames(_ usernames: [String]) throws {
    var faults = Violations()
    if usernames.count > maxUsernames { faults.add("usernames", "has more than \(maxUsernames) entries") }
    for (index, username) in usernames.prefix(maxUsernames).enumerated() {
      faults.add("usernames[\(index)]", PlainText.problem(username, length: 1...100))
      if faults.all.count > 20 { break }
    }
    try faults.check()
  }
}

extension RPCStatus {
  fileprivate init(_ refusal: Invitations.Refusal) {
    self =
      switch refusal {
      case .tooManyInvited:
        .failure(
          .resourceExhausted, reason: "TOO_MANY_INVITED",
          message: "at most \(Invitations.maxInvited) persons can be invited to a race")
      case .tooManyAsked:
        .failure(
          .resourceExhausted, reason: "TOO_MANY_INVITATIONS",
          message: "an organiser can give at most \(Invitations.askedPerDayMax) usernames to invite in 24 hours")
      }
  }

  static let notByInvitation = failure(
    .failedPrecondition, reason: "NOT_BY_INVITATION", message: "everyone can enrol in this race: it has no private link"
  )
}
