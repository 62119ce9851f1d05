internal import Domain
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension AccessService {
  /// By the person it is a revocation, by the third party a withdrawal. What has ended stays as it ended, and is no
  /// error. Streams under it end.
  /// - Throws: as `record(_:of:)`.
  public func revokeAccess(
    _ request: Trackme_Sharing_V1_RevokeAccessRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_RevokeAccessResponse {
    let account = try context.account()
    let record = try await record(request.accessRequestID, of: account)
    // What has ended stays as it ended, whoever asks.
    if record.state.isFinal { return .init(accessRequest: wire(record, for: account)) }
    let state: AccessState = account == record.thirdParty ? .withdrawn : .revoked
    do {
      return .init(accessRequest: wire(try await change(record, to: state, for: account), for: account))
    } catch let status as RPCStatus where status.code == .failedPrecondition {
      // The other side ended it at the same moment.
      let ended = try await self.record(record.id, of: account)
      guard ended.state.isFinal else { throw status }
      return .init(accessRequest: wire(ended, for: account))
    }
  }
}
