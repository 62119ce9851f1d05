internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Holds from now on; once more changes nothing.
  /// - Throws: INVALID_ARGUMENT; NOT_FOUND with reason UNKNOWN_BRIDGE; RESOURCE_EXHAUSTED with reason TOO_MANY_BRIDGES.
  public func allowBridge(
    _ request: Trackme_Identity_V1_AllowBridgeRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_AllowBridgeResponse {
    let person = try context.account()
    try Self.check(bridge: request.bridgeID)
    switch try await storage.bridges.allow(request.bridgeID, for: person) {
    case .allowed(let bridge, version: _): return .init(bridge: .init(bridge))
    case .noSuchBridge:
      throw RPCStatus.failure(.notFound, reason: "UNKNOWN_BRIDGE", message: "there is no such bridge")
    case .tooMany:
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_BRIDGES", message: "at most \(BridgeStore.maxPerPerson) bridges a person",
        metadata: ["limit": String(BridgeStore.maxPerPerson)])
    case .noAccount: throw RPCStatus.noAccount
    }
  }

  static func check(bridge: AccountID) throws {
    guard bridge > 0 else { throw RPCStatus.invalidArgument(field: "bridge_id", problem: "must be positive") }
  }
}

extension Trackme_Identity_V1_Bridge {
  init(_ record: BridgeRecord) {
    self.init(bridgeID: record.bridge, name: record.name, allowed: .init(record.allowed))
  }
}
