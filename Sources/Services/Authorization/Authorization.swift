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

  /// How the server is asked whether it is well, in the room that is kept for that. To watch it may last.
  private static let checkMethod = Grpc_Health_V1_HealthMethod.check.rawValue

  /// The RPCs that need no token. Every other one asks for its caller.
  static let openMethods: Set<String> = Set(
    [
      .getRegistrationForm, .registerPerson, .registerThirdParty, .logIn, .refreshSession, .startOpenIDLogIn,
      .logInWithOpenID, .getErasureReceipt,
    ].map { (method: IdentityServiceMethod) in method.rawValue })

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

  public func standing(of call: ServerCall) -> CallStanding? {
    if call.path == Self.checkMethod { return .check }
    if Self.isOpen(call.path) { return .stranger }
    guard let hash = try? Self.tokenHash(call.headers("authorization").first) else { return .stranger }
    let isKnown = hash.equals(operatorHash) || access.knows(hash)
    call.values[PresentedTokenKey.self] = PresentedToken(hash: hash, isKnown: isKnown)
    return isKnown ? Self.standing(of: call.path) : .stranger
  }

  /// The standing of a call to a method that is not open, with a valid token.
  private static func standing(of path: String) -> CallStanding { vitalMethods.contains(path) ? .vital : .known }

  private static func isOpen(_ path: String) -> Bool {
    openMethods.contains(path) || openServices.contains(where: path.hasPrefix)
  }

  public func intercept(
    _ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void
  ) async throws {
    if Self.isOpen(call.path) { return try await next(call) }
    guard let presented = call.values[PresentedTokenKey.self] else { throw RPCStatus.unauthenticated }
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
