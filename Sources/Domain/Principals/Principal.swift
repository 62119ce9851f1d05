/// An account's number; of a person also the number of their readings (`PersonID`).
public typealias AccountID = Int64
/// A device's number.
public typealias DeviceID = Int64

/// Who is calling.
public enum Principal: Sendable, Hashable {
  /// The operator of this server, named by the token of its configuration.
  case `operator`
  /// A person, in a session.
  case person(PersonID)
  /// A company, doctor or institute, in a session.
  case thirdParty(AccountID)
  /// A device of a person: it can push that person's readings and nothing else.
  case device(DeviceID, of: PersonID)
  /// A bridge: it can push readings of the persons who let it, and nothing else.
  case bridge(AccountID)
  /// An administrator, in a session.
  case administrator(AccountID)
  /// An emergency service's system: it can take calls and nothing else.
  case dispatcher(AccountID)
  /// Somebody at a dispatcher's desk, in a session: answers the dispatcher's calls.
  case deskOperator(AccountID)

  /// The account that calls are counted for, and that ends its calls when it ends; nil for the operator.
  public var account: AccountID? {
    switch self {
    case .operator: nil
    case .person(let account), .thirdParty(let account), .bridge(let account), .administrator(let account),
      .dispatcher(let account), .deskOperator(let account), .device(_, of: let account):
      account
    }
  }

  /// Whether it can push readings and nothing else.
  public var isPusherOnly: Bool {
    switch self {
    case .device, .bridge: true
    case .operator, .person, .thirdParty, .administrator, .dispatcher, .deskOperator: false
    }
  }

  /// The prefix under which this caller's client names count, so that no caller can touch another's sequence numbers.
  public var clientScope: String {
    switch self {
    case .operator: "operator"
    case .person(let person): "person/\(person)"
    case .thirdParty(let account): "third-party/\(account)"
    case .device(let device, of: _): "device/\(device)"
    case .bridge(let account): "bridge/\(account)"
    case .administrator(let account): "administrator/\(account)"
    case .dispatcher(let account): "dispatcher/\(account)"
    case .deskOperator(let account): "desk-operator/\(account)"
    }
  }
}

/// Who may do what with whose readings. Every decision about access that needs no consent is made here.
public enum AccessPolicy {
  /// Whether the caller may push readings of the person.
  /// - Parameter bridged: the persons who let the caller push, if it is a bridge.
  public static func mayPush(_ principal: Principal, for person: PersonID, bridged: Set<PersonID> = []) -> Bool {
    switch principal {
    case .operator: true
    case .person(let own), .device(_, of: let own): own == person
    case .bridge: bridged.contains(person)
    case .thirdParty, .administrator, .dispatcher, .deskOperator: false
    }
  }

  /// Whether the caller may read the person's readings without a grant.
  public static func mayRead(_ principal: Principal, of person: PersonID) -> Bool {
    switch principal {
    case .operator: true
    case .person(let own): own == person
    case .thirdParty, .device, .bridge, .administrator, .dispatcher, .deskOperator: false
    }
  }

  /// Whether the caller may follow the readings of everyone.
  public static func mayReadEveryone(_ principal: Principal) -> Bool { principal == .operator }
}
