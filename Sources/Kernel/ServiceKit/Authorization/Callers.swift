package import Domain
internal import RPCRuntime
package import ServiceAPI

// Who makes a call. That the RPC is for this kind of caller, as its file in Protos/ says, has been checked before its
// handler runs: by `Authorization`.

extension CallContext {
  /// The caller, of a kind that the RPC is for.
  /// - Throws: UNAUTHENTICATED if no interceptor has found out who it is: deny by default.
  package func principal() throws -> Principal {
    guard let principal = values[PrincipalKey.self] else { throw RPCStatus.unauthenticated }
    return principal
  }

  /// The account that calls, of a kind that the RPC is for; a person's is also the number of their readings.
  /// - Throws: UNAUTHENTICATED for nobody, PERMISSION_DENIED with reason NOT_PERMITTED for whoever does not stand for an
  ///   account: the operator, and what pushes readings on behalf of others.
  package func account() throws -> AccountID {
    switch try principal() {
    case .person(let account), .thirdParty(let account), .administrator(let account), .dispatcher(let account),
      .deskOperator(let account):
      return account
    case .operator, .device, .bridge:
      throw RPCStatus.openOnly(to: [.person, .thirdParty, .administrator, .dispatcher, .deskOperator])
    }
  }

  /// The session in which the call is made; nil with a token that an operator made.
  package var session: SessionID? { values[SessionKey.self] }
}

extension Principal {
  /// The kind of caller.
  package var kind: Callers {
    switch self {
    case .operator: .operator
    case .person: .person
    case .thirdParty: .thirdParty
    case .device: .device
    case .bridge: .bridge
    case .administrator: .administrator
    case .dispatcher: .dispatcher
    case .deskOperator: .deskOperator
    }
  }
}

extension RPCStatus {
  private static let names: [(Callers, String)] = [
    (.person, "persons"), (.thirdParty, "third parties"), (.device, "devices"), (.bridge, "bridges"),
    (.dispatcher, "dispatchers"), (.deskOperator, "people at dispatchers' desks"),
    (.administrator, "administrators"), (.operator, "the operator"),
  ]

  /// The call is for others.
  static func openOnly(to callers: Callers) -> RPCStatus {
    let names = names.filter { callers.contains($0.0) }.map(\.1).joined(separator: ", ")
    return failure(
      .permissionDenied, reason: "NOT_PERMITTED", message: "this call is open to these callers only: \(names)")
  }
}
