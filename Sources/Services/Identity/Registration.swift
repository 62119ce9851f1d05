internal import Domain
public import Postgres
internal import RPCRuntime
internal import ServiceAPI
internal import Storage
internal import WireCodec

/// What registration has of its own: forms, the making of accounts, and its bounds.
public final class Registration: Sendable {
  /// How many attempts one address has in a minute, where nothing else is said.
  public static let defaultAttemptsPerMinute = 10

  let forms: RegistrationForms
  let registrations: Registrations
  let limit: AttemptLimit

  /// - Parameter attemptsPerMinute: how often one address may try to register in a minute; 0 means without limit. This
  ///   machine's own addresses are not bounded.
  public init(pool: Pool, attemptsPerMinute: Int = Registration.defaultAttemptsPerMinute) {
    forms = RegistrationForms(pool: pool)
    registrations = Registrations(pool: pool)
    limit = AttemptLimit(
      perMinute: attemptsPerMinute, reason: "TOO_MANY_REGISTRATIONS", of: "registrations")
  }
}

extension IdentityService {
  /// Makes an account.
  ///
  /// What is cheap comes first: the form, then what others have already, and the hash of the password last. Whoever
  /// makes the account between that look and the writing wins, and the look is repeated, so that a loser hears
  /// everything that is in the way.
  ///
  /// - Parameter check: finds what is wrong with the registration by the form that is current.
  /// - Throws: INVALID_ARGUMENT with everything that is wrong, ALREADY_EXISTS with everything that others have,
  ///   RESOURCE_EXHAUSTED with reason TOO_MANY_REGISTRATIONS or TOO_BUSY.
  func register(
    _ kind: RegistrationForm.Kind, _ request: some RegistrationRequest, _ context: CallContext,
    check: (StoredForm) -> CheckedRegistration
  ) async throws -> Trackme_Identity_V1_Account {
    try registration.limit.take(context.client)
    var checked = check(try await registration.forms.find(kind))
    if checked.account == nil { throw try await refusal(of: checked) }
    return try await passwordTurns.run(for: context.client) {
      var passwordHash: String?
      var last: RegistrationConflict?
      for _ in 0..<Self.registrationAttempts {
        let conflicts = try await conflicts(with: checked)
        // Looked for after the conflicts: an account that the same request makes meanwhile is not in its own way.
        if !conflicts.isEmpty, let earlier = try await earlierAnswer(kind, request, context.client) { return earlier }
        guard let account = checked.account else { throw try await refusal(of: checked) }
        if !conflicts.isEmpty { throw RPCStatus.conflict(conflicts) }
        let hash: String
        if let passwordHash { hash = passwordHash } else { hash = try await hasher.hash(request.password) }
        passwordHash = hash
        switch try await registration.registrations.register(account, passwordHash: hash) {
        case .registered(let number): return .init(try await self.account(number))
        case .conflict(let conflict): last = conflict
        case .formChanged: checked = check(try await registration.forms.find(kind))
        }
      }
      // What was in the way has gone and come again.
      throw last.map { RPCStatus.conflict([$0]) } ?? RPCStatus.tooBusy
    }
  }

  private static var registrationAttempts: Int { 3 }

  /// Everything that is wrong, with what others have among what is right.
  private func refusal(of checked: CheckedRegistration) async throws -> RPCStatus {
    let conflicts = try await conflicts(with: checked)
    return .invalidArgument(violations: checked.violations.all + conflicts.map(\.violation))
  }

  private func conflicts(with checked: CheckedRegistration) async throws -> [RegistrationConflict] {
    try await registration.registrations.conflicts(
      username: checked.username, email: checked.email, fiscalCode: checked.fiscalCode, codeHash: checked.codeHash)
  }

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
