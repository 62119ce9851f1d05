internal import Domain
public import RPCRuntime
package import ServiceAPI

/// Who is calling: a kind of caller that the RPC is for, as the interceptor found out.
enum PrincipalKey: CallValueKey { typealias Value = Principal }

/// The session of the token with which the call is made.
enum SessionKey: CallValueKey { typealias Value = SessionID }

/// The token that came with a call.
private struct PresentedToken {
  let hash: TokenHash
  /// Whether it was known before the call was taken.
  let isKnown: Bool
}

private enum PresentedTokenKey: CallValueKey { typealias Value = PresentedToken }

/// Lets a call pass only with a token that stands for somebody whom its RPC names, and ends it when the token does.
public final class Authorization: ServerInterceptor {
  private static let scheme = "bearer "
  private static let maxTokenBytes = 256

  /// Services that ask about the server itself.
  private static let checks = ["/grpc.health.v1.Health/", "/grpc.reflection."]

  /// Whose calls others depend on: what is for these is let in when the server takes no other calls.
  private static let vitalCallers: Callers = [.device, .bridge, .dispatcher]
  /// And of these what is for them alone: as for all accounts, there are calls about the account besides.
  private static let vitalAlone: Callers = [.deskOperator]

  private let operatorHash: TokenHash
  private let access: LiveAccess

  /// - Parameter operatorToken: the token of the configuration.
  public init(operatorToken: String, access: LiveAccess) {
    operatorHash = TokenHash(operatorToken)
    self.access = access
  }

  /// Before the call is taken in, and out of memory alone: a token that this server has not seen yet makes a stranger,
  /// for whom `intercept` may vouch.
  public func standing(of call: ServerCall) -> CallStanding? {
    if Self.checks.contains(where: call.path.hasPrefix) { return .check }
    let callers = Self.callers(of: call.path)
    if callers.contains(.anyone) { return .stranger }
    guard let hash = try? Self.tokenHash(call.headers("authorization").first) else { return .stranger }
    let isKnown = hash.equals(operatorHash) || access.knows(hash)
    call.values[PresentedTokenKey.self] = PresentedToken(hash: hash, isKnown: isKnown)
    return isKnown ? Self.standing(ofCallFor: callers) : .stranger
  }

  /// Who may make a call, as its RPC in Protos/ says; nobody, if it is not known there.
  package static func callers(of path: String) -> Callers { ServiceDescriptors.callers[path] ?? [] }

  /// The standing of a call with a valid token.
  private static func standing(ofCallFor callers: Callers) -> CallStanding {
    !callers.isDisjoint(with: vitalCallers) || callers == vitalAlone ? .vital : .known
  }

  /// Puts the caller into the call's values, or refuses it: no handler is reached by a kind of caller that its RPC does
  /// not name. Asks the database only for a token that is not in memory.
  /// - Throws: UNAUTHENTICATED; PERMISSION_DENIED with reason NOT_PERMITTED for callers whom the RPC does not name, and with
  ///   reason ACCOUNT_DISABLED for persons whose accounts are;
  ///   `PostgresError`.
  public func intercept(
    _ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void
  ) async throws {
    let callers = Self.callers(of: call.path)
    if callers.contains(.anyone) { return try await next(call) }
    guard let presented = call.values[PresentedTokenKey.self] else { throw RPCStatus.unauthenticated }
    if presented.hash.equals(operatorHash) {
      try Self.admit(.operator, as: .operator, to: call, for: callers)
      return try await next(call)
    }
    let token = try await access.find(presented.hash, for: call.client)
    guard !presented.isKnown else { return try await serve(call, with: token, for: callers, next) }
    call.vouch(as: Self.standing(ofCallFor: callers))
    try await call.onItsLoop { try await serve(call, with: token, for: callers, next) }
  }

  private func serve(
    _ call: ServerCall, with token: KnownToken, for callers: Callers,
    _ next: @Sendable (ServerCall) async throws -> Void
  ) async throws {
    guard let account = token.principal.account else { throw RPCStatus.unauthenticated }
    try Self.admit(
      token.principal, as: token.isDisabled ? .disabledPerson : token.principal.kind, to: call, for: callers)
    if let session = token.session { call.values[SessionKey.self] = session }
    try access.calls.begin(call, token, of: account)
    defer { access.calls.end(call, of: account) }
    try await next(call)
  }

  private static func admit(
    _ principal: Principal, as kind: Callers, to call: ServerCall, for callers: Callers
  ) throws {
    guard callers.contains(kind) else {
      throw callers.contains(principal.kind) ? RPCStatus.accountDisabled : RPCStatus.openOnly(to: callers)
    }
    call.values[PrincipalKey.self] = principal
  }

  /// The hash of the token in an `authorization` header.
  /// - Throws: UNAUTHENTICATED if it has none.
  package static func tokenHash(_ header: String?) throws -> TokenHash {
    guard let header, header.prefix(scheme.count).lowercased() == scheme, header.utf8.count <= maxTokenBytes else {
      throw RPCStatus.unauthenticated
    }
    return TokenHash(String(header.dropFirst(scheme.count)))
  }
}
