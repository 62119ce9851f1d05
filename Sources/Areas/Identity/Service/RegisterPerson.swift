internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// Open to everyone. Whoever has added something to the registration has heard of it when it returns.
  /// - Throws: as `register`.
  public func registerPerson(
    _ request: Trackme_Identity_V1_RegisterPersonRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_RegisterPersonResponse {
    guard let today = CalendarDate(utc: clock()) else { throw RPCStatus.tooBusy }
    let additions = registration.additions.all
    let account = try await register(.person, request, context) { form in
      CheckedRegistration(person: request, form: form, today: today, additions: additions)
    }
    for addition in additions { await addition.registered() }
    return .init(account: account)
  }
}
