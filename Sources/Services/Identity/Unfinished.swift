internal import RPCRuntime
public import ServiceAPI
public import WireCodec

// RPCs that are declared and not there yet.

extension IdentityService {
  private static let unfinished = RPCStatus.failure(
    .unimplemented, reason: "NOT_AVAILABLE", message: "this server does not offer this call yet")

  public func deactivateAccount(
    _ request: Trackme_Identity_V1_DeactivateAccountRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_DeactivateAccountResponse {
    _ = try context.account()
    throw Self.unfinished
  }

  public func getErasureReceipt(
    _ request: Trackme_Identity_V1_GetErasureReceiptRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_GetErasureReceiptResponse { throw Self.unfinished }
}
