internal import Domain
internal import Identity
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService: GroupServiceHandler {
  /// - Throws: FAILED_PRECONDITION with reason NO_ACCOUNT.
  package func getAnonymousSharing(
    _ request: Trackme_Groups_V1_GetAnonymousSharingRequest, context: CallContext
  ) async throws -> Trackme_Groups_V1_GetAnonymousSharingResponse {
    .init(sharing: wire(try await sharing(of: try context.account())))
  }

  /// What a caller shares.
  /// - Throws: FAILED_PRECONDITION with reason NO_ACCOUNT where an operator made a token for a person without one.
  func sharing(of person: PersonID) async throws -> AnonymousSharing {
    guard let found = try await sharing.sharing(of: person) else { throw RPCStatus.noAccount }
    return found
  }
}
