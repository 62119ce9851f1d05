internal import IdentityRules
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension IdentityService {
  /// Open to everyone.
  /// - Throws: INVALID_ARGUMENT for a kind of account that has no form.
  public func getRegistrationForm(
    _ request: Trackme_Identity_V1_GetRegistrationFormRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_GetRegistrationFormResponse {
    let form = try await registration.forms.find(try RegistrationForm.Kind(request.kind))
    return .init(fields: form.form.fields.map { .init($0) }, etag: form.etag)
  }
}
