internal import Domain
internal import RPCRuntime
internal import ServiceAPI

// Who may make a call. Every handler asks for its caller with one of these, or it needs no token and is listed in
// `Authorization`.

extension CallContext {
  /// The caller, whoever it is.
  /// - Throws: UNAUTHENTICATED if no interceptor has found out who it is: deny by default.
  func principal() throws -> Principal {
    guard let principal = values[PrincipalKey.self] else { throw RPCStatus.unauthenticated }
    return principal
  }

  /// The person who calls, in a session.
  /// - Throws: UNAUTHENTICATED for nobody, PERMISSION_DENIED with reason NOT_PERMITTED for anybody else.
  func person() throws -> PersonID {
    guard case .person(let person) = try principal() else { throw RPCStatus.openOnly(to: "persons") }
    return person
  }

  /// The third party that calls, in a session.
  /// - Throws: as `person()`.
  func thirdParty() throws -> AccountID {
    guard case .thirdParty(let account) = try principal() else { throw RPCStatus.openOnly(to: "third parties") }
    return account
  }

  /// The person or the third party who calls, in a session: the two sides of a request for access.
  /// - Throws: as `person()`.
  func party() throws -> AccountID {
    switch try principal() {
    case .person(let account), .thirdParty(let account): return account
    default: throw RPCStatus.openOnly(to: "persons and third parties")
    }
  }

  /// The administrator who calls, in a session.
  /// - Throws: as `person()`.
  func administrator() throws -> AccountID {
    guard case .administrator(let account) = try principal() else {
      throw RPCStatus.openOnly(to: "administrators")
    }
    return account
  }

  /// The dispatcher that calls, with its token.
  /// - Throws: as `person()`.
  func dispatcher() throws -> AccountID {
    guard case .dispatcher(let account) = try principal() else { throw RPCStatus.openOnly(to: "dispatchers") }
    return account
  }

  /// Whoever may push readings: the operator, a person, a device or a bridge.
  /// - Throws: as `person()`.
  func pusher() throws -> Principal {
    let principal = try principal()
    switch principal {
    case .operator, .person, .device, .bridge: return principal
    case .thirdParty, .administrator, .dispatcher: throw RPCStatus.openOnly(to: "persons, devices and bridges")
    }
  }

  /// The session in which the call is made; nil with a token that an operator made.
  var session: SessionID? { values[SessionKey.self] }

  /// The account in whose session the call is made: a person's, a third party's or an administrator's.
  /// - Throws: as `person()`.
  func account() throws -> AccountID {
    switch try principal() {
    case .person(let account), .thirdParty(let account), .administrator(let account): return account
    case .operator, .device, .bridge, .dispatcher: throw RPCStatus.openOnly(to: "accounts in a session")
    }
  }
}

extension RPCStatus {
  fileprivate static func openOnly(to callers: String) -> RPCStatus {
    failure(.permissionDenied, reason: "NOT_PERMITTED", message: "this call is open to \(callers) only")
  }
}
