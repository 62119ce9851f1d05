internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Open to everyone. `personRegistered` has heard of it when it returns.
  /// - Throws: as `register`.
  public func registerPerson(
    _ request: Trackme_Identity_V1_RegisterPersonRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_RegisterPersonResponse {
    guard let today = CalendarDate(utc: clock()) else { throw RPCStatus.tooBusy }
    let account = try await register(.person, request, context) { form in
      CheckedRegistration(person: request, form: form, today: today)
    }
    await personRegistered()
    return .init(account: account)
  }
}
