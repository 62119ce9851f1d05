/// The number of a log-in.
public typealias SessionID = Int64

/// What an account is for.
public enum AccountKind: String, Sendable, Hashable, CaseIterable {
  case person
  case thirdParty = "third_party"
  case bridge
  case administrator
  case dispatcher
  case deskOperator = "desk_operator"

  /// Who calls in a session of such an account; nil of bridges and dispatchers, which have no sessions.
  public func sessionPrincipal(_ account: AccountID) -> Principal? {
    switch self {
    case .person: .person(account)
    case .thirdParty: .thirdParty(account)
    case .administrator: .administrator(account)
    case .deskOperator: .deskOperator(account)
    case .bridge, .dispatcher: nil
    }
  }
}

/// What has ended, and with it the tokens and the open calls of it.
public enum AccessEnding: Sendable, Hashable {
  /// All of an account: sessions, devices, and the tokens of a bridge.
  case account(AccountID)
  /// The sessions of an account, save one, and the tokens that an operator made for its person.
  case sessions(of: AccountID, except: SessionID?)
  case session(SessionID, of: AccountID)
  case device(DeviceID, of: PersonID)

  /// The account that it concerns.
  public var account: AccountID {
    switch self {
    case .account(let account), .sessions(of: let account, except: _), .session(_, of: let account),
      .device(_, of: let account):
      account
    }
  }

  /// Whether a caller's token has ended with it.
  public func ends(_ principal: Principal, session: SessionID?) -> Bool {
    guard principal.account == account else { return false }
    switch self {
    case .account: return true
    case .sessions(of: _, except: let kept):
      return session == nil ? principal == .person(account) : session != kept
    case .session(let ended, of: _): return session == ended
    case .device(let ended, of: _):
      guard case .device(let device, of: _) = principal else { return false }
      return device == ended
    }
  }
}
