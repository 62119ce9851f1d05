internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Ends the calls of the device too.
  /// - Throws: NOT_FOUND with reason UNKNOWN_DEVICE, also for a device of others; INVALID_ARGUMENT.
  public func revokeDevice(
    _ request: Trackme_Identity_V1_RevokeDeviceRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_RevokeDeviceResponse {
    let person = try context.account()
    guard request.deviceID > 0 else {
      throw RPCStatus.invalidArgument(field: "device_id", problem: "must be positive")
    }
    guard try await storage.devices.revoke(request.deviceID, of: person) else {
      throw RPCStatus.failure(.notFound, reason: "UNKNOWN_DEVICE", message: "the caller has no such device")
    }
    access.end(.device(request.deviceID, of: person))
    return .init()
  }
}
