internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// Its streams end. What it has pushed stays.
  /// - Throws: NOT_FOUND with reason NO_SUCH_BRIDGE; INVALID_ARGUMENT.
  public func revokeBridge(
    _ request: Trackme_Admin_V1_RevokeBridgeRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_RevokeBridgeResponse {
    guard request.bridgeID > 0 else {
      throw RPCStatus.invalidArgument(field: "bridge_id", problem: "must be positive")
    }
    guard try await staff.end(.bridge, request.bridgeID) else {
      throw RPCStatus.failure(.notFound, reason: "NO_SUCH_BRIDGE", message: "there is no bridge of this number")
    }
    access.end(.account(request.bridgeID))
    return .init()
  }
}
