internal import Identity
internal import IdentityRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// Replaces the form; accounts keep the fields that they have.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; ABORTED with reason STALE_ETAG.
  public func updateRegistrationForm(
    _ request: Trackme_Admin_V1_UpdateRegistrationFormRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_UpdateRegistrationFormResponse {
    let administrator = try context.account()
    let kind = try RegistrationForm.Kind(request.kind)
    var violations = Violations()
    if request.etag.isEmpty { violations.add("etag", "must be the etag of the form") }
    let fields = request.fields.enumerated().map { index, field in
      if FieldType(field.type) == nil { violations.add("fields[\(index)].type", "must be a type of field") }
      return FormField(field)
    }
    // A field without a type is as good as a text for everything else that may be wrong with it.
    violations.add(RegistrationForm.violations(of: fields, for: kind))
    try violations.check()

    guard let version = Int64(request.etag),
      let form = try await forms.replace(kind, with: fields, version: version, by: administrator)
    else { throw RPCStatus.staleEtag }
    return .init(fields: form.form.fields.map { .init($0) }, etag: form.etag)
  }
}

extension FieldType {
  init?(_ type: Trackme_Identity_V1_FieldType) {
    switch type {
    case .text: self = .text
    case .number: self = .number
    case .boolean: self = .boolean
    case .date: self = .date
    case .choice: self = .choice
    case .unspecified, .unrecognized: return nil
    }
  }
}

extension FormField {
  init(_ field: Trackme_Identity_V1_FormField) {
    self.init(
      name: field.name, label: field.label, type: FieldType(field.type) ?? .text, isRequired: field.required,
      choices: field.choices, minimum: field.minimum, maximum: field.maximum)
  }
}
