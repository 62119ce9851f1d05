internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// The answer is the only place where the token ever is: of a repeat of the request id only the number is told.
  /// - Throws: INVALID_ARGUMENT; ALREADY_EXISTS with reason DEVICE_EXISTS and the number; RESOURCE_EXHAUSTED with
  ///   reason TOO_MANY_DEVICES.
  public func createDevice(
    _ request: Trackme_Identity_V1_CreateDeviceRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_CreateDeviceResponse {
    let person = try context.account()
    var violations = Violations()
    violations.addRequestID(request.requestID)
    violations.add("name", PlainText.problem(request.name, length: 1...100))
    if !(0...3_650).contains(request.lifetimeDays) {
      violations.add("lifetime_days", "must be 1 to 3,650, or 0 for no end")
    }
    try violations.check()

    let token = TokenHash.newToken()
    let count = access.changes
    let addition = try await storage.devices.add(
      name: request.name, requestID: request.requestID, lifetimeDays: request.lifetimeDays,
      tokenHash: TokenHash(token).bytes, of: person)
    switch addition {
    case .added(let device):
      let days = request.lifetimeDays
      await access.begin(
        token,
        TokenHolder(
          principal: .device(device.device, of: person), timeLeft: days == 0 ? nil : .seconds(Int64(days) * 86_400)),
        asOf: count)
      return .init(device: .init(device), token: token)
    case .repeated(let device):
      throw RPCStatus.failure(
        .alreadyExists, reason: "DEVICE_EXISTS",
        message: "the request was made before; a token is shown once, so revoke the device if it was lost",
        metadata: ["device_id": String(device)])
    case .tooMany:
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_DEVICES", message: "at most \(DeviceStore.maxPerPerson) devices a person",
        metadata: ["limit": String(DeviceStore.maxPerPerson)])
    case .noAccount: throw RPCStatus.noAccount
    }
  }
}

extension Trackme_Identity_V1_Device {
  init(_ record: DeviceRecord) {
    self.init(
      deviceID: record.device, name: record.name, created: .init(record.created),
      expires: record.expires.map { .init($0) })
  }
}
