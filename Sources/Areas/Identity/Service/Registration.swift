internal import IdentityRules
package import Postgres
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

/// What registration has of its own: forms, the making of accounts, and its bounds.
public final class Registration: Sendable {
  /// How many attempts one address has in a minute, where nothing else is said.
  public static let defaultAttemptsPerMinute = 10

  let forms: RegistrationForms
  let registrations: Registrations
  let limit: AttemptLimit
  let additions: RegistrationAdditions

  /// - Parameters:
  ///   - additions: what areas make beside an account.
  ///   - attemptsPerMinute: how often one address may try to register in a minute; 0 means without limit. This machine's own
  ///     addresses are not bounded.
  package init(
    pool: Pool, additions: RegistrationAdditions = RegistrationAdditions(),
    attemptsPerMinute: Int = Registration.defaultAttemptsPerMinute
  ) {
    self.additions = additions
    forms = RegistrationForms(pool: pool)
    registrations = Registrations(pool: pool)
    limit = AttemptLimit(
      perMinute: attemptsPerMinute, reason: "TOO_MANY_REGISTRATIONS", of: "registrations")
  }
}

extension IdentityService {
  /// Makes an account.
  ///
  /// A form that is wrong is answered from itself alone. One that is right is answered with an account, also where its
  /// e-mail address or its fiscal code is another account's: who is registered is nobody's business. The password is
  /// hashed before anybody looks at what others have, so that every answer takes the same time.
  ///
  /// - Parameter check: finds what is wrong with the registration by the form that is current.
  /// - Throws: INVALID_ARGUMENT with everything that is wrong, ALREADY_EXISTS for a username that is taken or a code that
  ///   was used, RESOURCE_EXHAUSTED with reason TOO_MANY_REGISTRATIONS or TOO_BUSY.
  func register(
    _ kind: RegistrationForm.Kind, _ request: some RegistrationRequest, _ context: CallContext,
    check: (StoredForm) -> CheckedRegistration
  ) async throws -> Trackme_Identity_V1_Account {
    try registration.limit.take(context.client)
    var checked = check(try await registration.forms.find(kind))
    _ = try checked.rightAccount()
    return try await passwordTurns.run(for: context.client) {
      let hash = try await hasher.hash(request.password)
      for _ in 0..<Self.registrationAttempts {
        let account = try checked.rightAccount()
        let conflicts = try await registration.registrations.conflicts(
          username: account.username, name: account.displayName, codeHash: checked.codeHash)
        if !conflicts.isEmpty {
          // Looked for after the conflicts: an account that the same request makes meanwhile is not in its own way.
          if let earlier = try await earlierAnswer(kind, request, context.client) { return earlier }
          throw RPCStatus.conflict(conflicts)
        }
        switch try await registration.registrations.register(account, passwordHash: hash) {
        case .registered(let number): return .init(try await self.account(number))
        case .outrun: break
        case .formChanged: checked = check(try await registration.forms.find(kind))
        }
      }
      // What was in the way has gone and come again.
      throw RPCStatus.tooBusy
    }
  }

  /// An address, a fiscal code, a username and the form may each be somebody else's in between, once.
  private static var registrationAttempts: Int { 5 }

  /// The answer that the same request has had before. The password proves that it is the same client; a wrong one
  /// counts as a wrong log-in, and then the username is simply taken.
  private func earlierAnswer(
    _ kind: RegistrationForm.Kind, _ request: some RegistrationRequest, _ client: ClientAddress
  ) async throws -> Trackme_Identity_V1_Account? {
    guard !request.requestID.isEmpty,
      let earlier = try await registration.registrations.earlier(
        kind, username: request.username, requestID: request.requestID)
    else { return nil }
    let record = try await storage.passwords.find(account: earlier, session: nil)
    guard try await isRight(request.password, record, client) else { return nil }
    return .init(try await account(earlier))
  }
}

extension CheckedRegistration {
  /// - Throws: INVALID_ARGUMENT with everything that is wrong.
  fileprivate func rightAccount() throws -> NewAccount {
    guard let account else { throw RPCStatus.invalidArgument(violations: violations.all) }
    return account
  }
}
