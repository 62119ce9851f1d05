internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// Of the given usernames; without any, the private link is replaced, and the answer has the secret of the new one.
  /// The count is of what was asked for: how many of them were invited would tell which persons there are.
  /// - Throws: as `RaceAccess.organized`; FAILED_PRECONDITION with reason NOT_BY_INVITATION or RACE_STATE.
  public func revokeInvitations(
    _ request: Trackme_Races_V1_RevokeInvitationsRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_RevokeInvitationsResponse {
    let race = try await access.organized(request.raceID, by: try context.account())
    try race.check(.revokeInvitations, at: clock())
    try Self.checkUsernames(request.usernames)
    guard race.byInvitation else { throw RPCStatus.notByInvitation }
    guard request.usernames.isEmpty else {
      try await storage.invitations.revoke(request.usernames, of: race.id)
      // How many of them were invited would tell which persons there are.
      return .init(revokedCount: Int32(Set(request.usernames.map { $0.lowercased() }).count))
    }
    let secret = InvitationSecret()
    guard try await storage.invitations.renewLink(of: race.id, to: TokenHash(secret.text).bytes) else {
      throw RPCStatus.notByInvitation
    }
    return .init(invitation: secret.text)
  }
}
