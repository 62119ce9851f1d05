internal import Domain
internal import Log
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

/// The two tokens of a session, which only the client keeps.
struct SessionTokens {
  let session = TokenHash.newToken()
  let refresh = TokenHash.newToken()

  var hashes: SessionTokenHashes {
    .init(session: TokenHash(session).bytes, refresh: TokenHash(refresh).bytes)
  }
}

extension IdentityService {
  /// Begins a session of an account that has proved who it is.
  ///
  /// - Parameter passwordHash: what the password was checked against, if it was one: no session begins if it has been
  ///   changed since.
  /// - Returns: nil if the account has ended, or is a bridge's.
  /// - Throws: PERMISSION_DENIED with reason ACCOUNT_DISABLED for a third party; `PostgresError`.
  func beginSession(
    for account: AccountID, passwordHash: String? = nil
  ) async throws -> Trackme_Identity_V1_Session? {
    let tokens = SessionTokens()
    let count = access.changes
    let begun: (session: SessionRecord, ended: [SessionID])?
    do {
      begun = try await storage.sessions.begin(for: account, passwordHash: passwordHash, tokens: tokens.hashes)
    } catch is SessionStore.Disabled {
      throw RPCStatus.accountDisabled
    }
    guard let begun else { return nil }
    await self.begin(tokens, begun.session, asOf: count)
    for session in begun.ended { access.end(.session(session, of: account)) }
    return .init(begun.session, tokens)
  }

  /// The new token of a session holds from now on.
  func begin(_ tokens: SessionTokens, _ record: SessionRecord, asOf count: UInt64) async {
    guard let principal = record.kind.sessionPrincipal(record.account) else { return }
    await access.begin(
      tokens.session,
      TokenHolder(
        principal: principal, session: record.session, timeLeft: SessionStore.tokenLifetime,
        isDisabled: record.isDisabled), asOf: count)
  }
}

extension Trackme_Identity_V1_Session {
  init(_ record: SessionRecord, _ tokens: SessionTokens) {
    self.init(
      token: tokens.session, expires: .init(record.expires), refreshToken: tokens.refresh,
      refreshExpires: .init(record.refreshExpires), accountID: record.account, kind: .init(record.kind),
      passwordChangeDue: record.isPasswordInitial)
  }
}

extension Trackme_Identity_V1_AccountKind {
  init(_ kind: AccountKind) {
    switch kind {
    case .person: self = .person
    case .thirdParty: self = .thirdParty
    case .bridge: self = .bridge
    case .administrator: self = .administrator
    case .dispatcher: self = .dispatcher
    case .deskOperator: self = .deskOperator
    }
  }
}
