public import Domain
public import IdentityRules
public import Postgres

/// A registration that has been found right.
public struct NewAccount: Sendable {
  /// What only one kind has.
  public enum Details: Sendable {
    case person(NewPerson)
    /// A third party with the SHA-256 of its code, by whose holder it is called.
    case thirdParty(codeHash: [UInt8])
  }

  public var username: String
  public var email: String
  /// What others see: a person's full name. A third party is called as its code says; what it calls itself is that, or empty.
  public var displayName: String
  public var description: String
  /// Values of the form's fields, by name.
  public var formValues: [String: String]
  /// The version of the form that the values were checked with.
  public var formVersion: Int64
  /// Of the client's choice, or empty.
  public var requestID: String
  public var details: Details
  /// What else is written in its transaction.
  public var additions: [@Sendable (_ connection: Connection, _ account: AccountID) throws -> Void]

  public init(
    username: String, email: String, displayName: String, description: String = "", formValues: [String: String],
    formVersion: Int64, requestID: String, details: Details,
    additions: [@Sendable (_ connection: Connection, _ account: AccountID) throws -> Void] = []
  ) {
    self.username = username
    self.email = email
    self.displayName = displayName
    self.description = description
    self.formValues = formValues
    self.formVersion = formVersion
    self.requestID = requestID
    self.details = details
    self.additions = additions
  }

  /// nil of a third party.
  var person: NewPerson? {
    if case .person(let person) = details { person } else { nil }
  }

  /// Whose form it is.
  public var kind: RegistrationForm.Kind {
    if case .person = details { .person } else { .thirdParty }
  }
}

/// What a person's registration says beside the account.
public struct NewPerson: Sendable {
  public var givenNames: String
  public var familyName: String
  public var fiscalCode: FiscalCode
  public var dateOfBirth: CalendarDate
  public var sex: Sex
  public var weightKg: Double
  public var heightCm: Double

  public init(
    givenNames: String, familyName: String, fiscalCode: FiscalCode, dateOfBirth: CalendarDate, sex: Sex,
    weightKg: Double, heightCm: Double
  ) {
    self.givenNames = givenNames
    self.familyName = familyName
    self.fiscalCode = fiscalCode
    self.dateOfBirth = dateOfBirth
    self.sex = sex
    self.weightKg = weightKg
    self.heightCm = heightCm
  }
}

/// Why an account can't be made although its registration is well-formed. E-mail addresses and fiscal codes that others
/// have are no reason.
public enum RegistrationConflict: Sendable, Hashable {
  /// Another account has the username, in whatever case.
  case username
  /// A third party has registered with the code.
  case codeUsed
  /// No administrator issued the code, or it was withdrawn, or its time is over.
  case codeUnknown
  /// The code was issued to somebody of another name.
  case nameOfAnother
}
