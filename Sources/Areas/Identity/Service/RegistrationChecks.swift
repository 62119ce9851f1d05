internal import Domain
internal import IdentityRules
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

// What a registration must say. Nothing here costs anything: the password is hashed when all of it is right.

/// What every registration has.
protocol RegistrationRequest {
  var requestID: String { get }
  var username: String { get }
  var email: String { get }
  var password: String { get }
  var fields: [Trackme_Identity_V1_FieldValue] { get }
}

extension Trackme_Identity_V1_RegisterPersonRequest: RegistrationRequest {}
extension Trackme_Identity_V1_RegisterThirdPartyRequest: RegistrationRequest {}

/// A registration and everything that is wrong with it.
struct CheckedRegistration {
  var violations = Violations()
  var fiscalCode: FiscalCode?
  var codeHash: [UInt8]?
  var values: [String: String] = [:]
  /// Complete if there are no violations.
  var account: NewAccount?

  /// Checks what every registration has.
  init(_ request: some RegistrationRequest, form: RegistrationForm) {
    violations.addRequestID(request.requestID)
    violations.add("username", Username.problem(request.username))
    violations.add("email", EmailAddress.problem(request.email))
    violations.add(
      "password", Password.problem(request.password, username: request.username, email: request.email))
    let checked = form.check(request.fields.map { .init(name: $0.name, value: $0.value) })
    values = checked.accepted
    violations.add(checked.violations)
  }

  /// Checks a person's registration with the form that is current.
  init(
    person request: Trackme_Identity_V1_RegisterPersonRequest, form: StoredForm, today: CalendarDate,
    additions: [RegistrationAddition]
  ) {
    self.init(request, form: form.form)
    checkName("given_names", request.givenNames, FiscalCodeNames.givenNames)
    checkName("family_name", request.familyName, FiscalCodeNames.familyName)
    let born = dateOfBirth(request.dateOfBirth, today: today)
    let sex = Sex(request.sex)
    if sex == nil { violations.add("sex", "must be SEX_FEMALE or SEX_MALE") }
    if !(1...700 ~= request.weightKg) { violations.add("weight_kg", "must be 1 to 700") }
    if !(30...280 ~= request.heightCm) { violations.add("height_cm", "must be 30 to 280") }
    let writes = additions.map { $0.check(request, born?.age(on: today), &violations) }
    checkFiscalCode(request, born, sex)
    guard violations.isEmpty, let born, let sex, let fiscalCode else { return }
    account = NewAccount(
      username: request.username, email: request.email, displayName: "\(request.givenNames) \(request.familyName)",
      formValues: values, formVersion: form.version, requestID: request.requestID,
      details: .person(
        NewPerson(
          givenNames: request.givenNames, familyName: request.familyName, fiscalCode: fiscalCode, dateOfBirth: born,
          sex: sex, weightKg: request.weightKg, heightCm: request.heightCm)),
      additions: writes)
  }

  /// Checks a third party's registration with the form that is current.
  init(thirdParty request: Trackme_Identity_V1_RegisterThirdPartyRequest, form: StoredForm) {
    self.init(request, form: form.form)
    // The code says what it is called: with no name of its own there is nothing to compare.
    if !request.name.isEmpty {
      violations.add("name", PlainText.problem(request.name, length: 1...CodeHolder.maxNameCharacters))
    }
    violations.add("description", PlainText.problem(request.description, length: 1...2_000, isParagraph: true))
    codeHash = ThirdPartyCodeText.hash(request.code)
    if codeHash == nil { violations.add("code", ThirdPartyCodeText.problem) }
    guard violations.isEmpty, let codeHash else { return }
    account = NewAccount(
      username: request.username, email: request.email, displayName: request.name, description: request.description,
      formValues: values, formVersion: form.version, requestID: request.requestID,
      details: .thirdParty(codeHash: codeHash))
  }

  /// A name that gives no letters of a fiscal code can't be one that the tax authority has written.
  private mutating func checkName(_ field: String, _ name: String, _ letters: (String) -> [UInt8]?) {
    if let problem = PlainText.problem(name, length: 1...200) {
      violations.add(field, problem)
    } else if letters(name) == nil {
      violations.add(field, "must be in Latin letters, with spaces, hyphens, dots and apostrophes at most")
    }
  }

  private mutating func dateOfBirth(_ text: String, today: CalendarDate) -> CalendarDate? {
    guard let date = CalendarDate(iso8601: text) else {
      violations.add("date_of_birth", "must be a date such as \"1980-12-31\"")
      return nil
    }
    if date > today { violations.add("date_of_birth", "must not be in the future") }
    if date.age(on: today) > 130 { violations.add("date_of_birth", "must be at most 130 years ago") }
    return violations.has("date_of_birth") ? nil : date
  }

  /// The code on its own, and against what else the form says, as far as that is right itself.
  private mutating func checkFiscalCode(
    _ request: Trackme_Identity_V1_RegisterPersonRequest, _ born: CalendarDate?, _ sex: Sex?
  ) {
    let code: FiscalCode
    do throws(FiscalCodeError) { code = try FiscalCode(request.fiscalCode) } catch {
      violations.add("fiscal_code", error.problem)
      return
    }
    if let born, !code.matches(dateOfBirth: born, sex: code.sex) {
      violations.add("fiscal_code", "does not fit date_of_birth")
    }
    if let sex, code.sex != sex { violations.add("fiscal_code", "does not fit sex") }
    if !violations.has("family_name"), !code.matches(familyName: request.familyName) {
      violations.add("fiscal_code", "does not fit family_name")
    }
    if !violations.has("given_names"), !code.matches(givenNames: request.givenNames) {
      violations.add("fiscal_code", "does not fit given_names")
    }
    if !violations.has("fiscal_code") { fiscalCode = code }
  }
}

extension Sex {
  /// The sex that a request names; nil if it names none.
  init?(_ sex: Trackme_Identity_V1_Sex) {
    switch sex {
    case .female: self = .female
    case .male: self = .male
    case .unspecified, .unrecognized: return nil
    }
  }
}
