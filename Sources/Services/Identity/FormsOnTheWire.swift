internal import IdentityRules
internal import RPCRuntime
internal import ServiceKit
internal import Storage
internal import WireCodec

extension StoredForm {
  /// The form's etag.
  var etag: String { String(version) }
}

extension RegistrationForm.Kind {
  /// - Throws: INVALID_ARGUMENT for a kind that does not register.
  init(_ kind: Trackme_Identity_V1_AccountKind) throws {
    switch kind {
    case .person: self = .person
    case .thirdParty: self = .thirdParty
    default: throw RPCStatus.invalidArgument(field: "kind", problem: "must be PERSON or THIRD_PARTY")
    }
  }
}

extension Trackme_Identity_V1_FormField {
  init(_ field: FormField) {
    let type: Trackme_Identity_V1_FieldType =
      switch field.type {
      case .text: .text
      case .number: .number
      case .boolean: .boolean
      case .date: .date
      case .choice: .choice
      }
    self.init(
      name: field.name, label: field.label, type: type, required: field.isRequired, choices: field.choices,
      minimum: field.minimum, maximum: field.maximum)
  }
}
