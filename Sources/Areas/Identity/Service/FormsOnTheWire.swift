package import IdentityRules
internal import RPCRuntime
internal import ServiceKit
package import WireCodec

extension StoredForm {
  /// The form's etag.
  package var etag: String { String(version) }
}

extension RegistrationForm.Kind {
  /// - Throws: INVALID_ARGUMENT for a kind that does not register.
  package init(_ kind: Trackme_Identity_V1_AccountKind) throws {
    switch kind {
    case .person: self = .person
    case .thirdParty: self = .thirdParty
    default: throw RPCStatus.invalidArgument(field: "kind", problem: "must be PERSON or THIRD_PARTY")
    }
  }
}

extension Trackme_Identity_V1_FormField {
  package init(_ field: FormField) {
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
