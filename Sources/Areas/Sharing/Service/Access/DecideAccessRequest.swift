internal import RPCRuntime
public import ServiceAPI
public import WireCodec

// The person's two answers to a pending request.

extension AccessService {
  /// Accepting once more changes nothing. Returns when the decision is in the log.
  /// - Throws: as `record(_:of:)` and `change(_:to:for:)`.
  public func acceptAccessRequest(
    _ request: Trackme_Sharing_V1_AcceptAccessRequestRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_AcceptAccessRequestResponse {
    let person = try context.account()
    let record = try await record(request.accessRequestID, of: person)
    return .init(accessRequest: wire(try await change(record, to: .accepted, for: person), for: person))
  }

  /// For good: the third party has to ask anew.
  /// - Throws: as `acceptAccessRequest`.
  public func refuseAccessRequest(
    _ request: Trackme_Sharing_V1_RefuseAccessRequestRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_RefuseAccessRequestResponse {
    let person = try context.account()
    let record = try await record(request.accessRequestID, of: person)
    return .init(accessRequest: wire(try await change(record, to: .refused, for: person), for: person))
  }
}
