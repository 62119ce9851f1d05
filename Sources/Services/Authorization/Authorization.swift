internal import Domain
public import RPCRuntime
internal import ServiceAPI

/// Who is calling, as the interceptor found out.
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

/// Lets a call pass only with a token that stands for somebody, and ends it when the token does.
public final class Authorization: ServerInterceptor {
  private static let scheme = "bearer "
  private static let maxTokenBytes = 256

  /// Services that are open to everyone.
  private static let openServices = ["/grpc.health.v1.Health/", "/grpc.reflection."]

  /// The RPCs that need no token. Every other one asks for its caller.
  static let openMethods: Set<String> = Set(
    [
      .getRegistrationForm, .registerPerson, .registerThirdParty, .logIn, .refreshSession, .startOpenIDLogIn,
      .logInWithOpenID, .getErasureReceipt,
    ].map { (method: IdentityServiceMethod) in method.rawValue }
      + [.confirmContact, .refuseContact].map { (method: SosServiceMethod) in method.rawValue })

  /// All that devices and bridges can do.
  private static let pushMethods: Set<String> = [
    IngestServiceMethod.pushReadings.rawValue, IngestServiceMethod.recordReadings.rawValue,
  ]

  /// All that dispatchers can do.
  private static let dispatcherMethods: Set<String> = Set(DispatchServiceMethod.allCases.map(\.rawValue))

  /// What others depend on: it is let in when the server takes no other calls.
  private static let vitalMethods = pushMethods.union(dispatcherMethods)

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
    if Self.openServices.contains(where: call.path.hasPrefix) { return .check }
    if Self.openMethods.contains(call.path) { return .stranger }
    guard let hash = try? Self.tokenHash(call.headers("authorization").first) else { return .stranger }
    let isKnown = hash.equals(operatorHash) || access.knows(hash)
    call.values[PresentedTokenKey.self] = PresentedToken(hash: hash, isKnown: isKnown)
    return isKnown ? Self.standing(of: call.path) : .stranger
  }

  /// The standing of a call to a method that is not open, with a valid token.
  private static func standing(of path: String) -> CallStanding { vitalMethods.contains(path) ? .vital : .known }

  /// Puts the caller into the call's values, or refuses it; asks the database only for a token that is not in memory.
  /// - Throws: UNAUTHENTICATED; PERMISSION_DENIED for tokens of devices, bridges and dispatchers at methods that are
  ///   not theirs; `PostgresError`.
  public func intercept(
    _ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void
  ) async throws {
    guard let presented = call.values[PresentedTokenKey.self] else {
      guard Self.openMethods.contains(call.path) || Self.openServices.contains(where: call.path.hasPrefix) else {
        throw RPCStatus.unauthenticated
      }
      return try await next(call)
    }
    if presented.hash.equals(operatorHash) {
      call.values[PrincipalKey.self] = .operator
      return try await next(call)
    }
    let token = try await access.find(presented.hash)
    if !presented.isKnown { call.vouch(as: Self.standing(of: call.path)) }
    let principal = token.principal
    guard let account = principal.account else { throw RPCStatus.unauthenticated }
    if principal.isPusherOnly, !Self.pushMethods.contains(call.path) {
      throw RPCStatus.failure(
        .permissionDenied, reason: "NOT_PERMITTED", message: "this token can push readings and nothing else")
    }
    if case .dispatcher = principal, !Self.dispatcherMethods.contains(call.path) {
      throw RPCStatus.failure(
        .permissionDenied, reason: "NOT_PERMITTED", message: "this token can take calls and nothing else")
    }
    call.values[PrincipalKey.self] = principal
    if let session = token.session { call.values[SessionKey.self] = session }
    try access.calls.begin(call, token, of: account)
    defer { access.calls.end(call, of: account) }
    try await next(call)
  }

  /// The hash of the token in an `authorization` header.
  /// - Throws: UNAUTHENTICATED if it has none.
  static func tokenHash(_ header: String?) throws -> TokenHash {
    guard let header, header.prefix(scheme.count).lowercased() == scheme, header.utf8.count <= maxTokenBytes else {
      throw RPCStatus.unauthenticated
    }
    return TokenHash(String(header.dropFirst(scheme.count)))
  }
}
