public import Domain
public import SosRules

/// A person's choices about AutomatedSOS as they are stored.
public struct SosRecord: Sendable, Equatable {
  public let settings: SosSettings
  /// Counts changes.
  public let version: Int64
  /// What contacts have answered, by number in E.164 form and by `EmergencyContact.key` of an e-mail address.
  public let answers: [String: ContactState]

  public init(settings: SosSettings, version: Int64, answers: [String: ContactState] = [:]) {
    self.settings = settings
    self.version = version
    self.answers = answers
  }
}

/// The number of a declared exertion.
public typealias ExertionID = Int64

/// A time of exertion that a person has declared.
public struct ExertionRecord: Sendable, Equatable {
  public let id: ExertionID
  public let begins: Microseconds
  /// As it was declared.
  public let ends: Microseconds
}

/// What became of a declaration.
public enum ExertionDeclaration: Sendable, Equatable {
  /// The exertion, also where it had been declared under its request id before.
  case declared(ExertionRecord)
  /// As many as allowed are not over.
  case tooMany
  /// The person has no account.
  case noAccount
}

/// What has changed of whom.
public enum RosterChange: Sendable {
  /// The readings of a person are to be checked, with these settings and limits.
  case watched(MonitoredPerson)
  /// They are not, or not any more.
  case left(PersonID)
}

/// A moment of the database up to which every change has been seen.
public struct RosterMark: Sendable, Equatable {
  /// The oldest transaction that may not have been seen.
  let xmin: String
}
