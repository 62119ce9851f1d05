/// Who is calling.
public enum Principal: Sendable, Hashable {
  /// The operator of this server, named by the token of its configuration.
  case `operator`
  /// A person.
  case person(PersonID)

  /// The prefix under which this caller's client names count, so that no caller can touch another's sequence numbers.
  public var clientScope: String {
    switch self {
    case .operator: "operator"
    case .person(let person): "person/\(person)"
    }
  }
}

/// Who may do what with whose readings. Every decision about access is made here.
public enum AccessPolicy {
  /// Whether the caller may push readings of the person.
  public static func mayPush(_ principal: Principal, for person: PersonID) -> Bool {
    switch principal {
    case .operator: true
    case .person(let own): own == person
    }
  }

  /// Whether the caller may read the person's readings.
  public static func mayRead(_ principal: Principal, of person: PersonID) -> Bool {
    switch principal {
    case .operator: true
    case .person(let own): own == person
    }
  }

  /// Whether the caller may follow the readings of everyone.
  public static func mayReadEveryone(_ principal: Principal) -> Bool { principal == .operator }
}
