internal import Domain
public import ServiceAPI
public import WireCodec

extension IdentityService {
  /// Open to whoever has a code of an administrator, which it uses up.
  /// - Throws: as `register`.
  public func registerThirdParty(
    _ request: Trackme_Identity_V1_RegisterThirdPartyRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_RegisterThirdPartyResponse {
    .init(
      account: try await register(.thirdParty, request, context) { form in
        CheckedRegistration(thirdParty: request, form: form)
      })
  }
}
