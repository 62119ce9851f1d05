internal import Domain
public import RPCRuntime
public import Storage
internal import Synchronization

/// Who is calling, as the interceptor found out.
enum PrincipalKey: CallValueKey { typealias Value = Principal }

/// Lets a call pass only with a token that stands for somebody. Reflection and health are open to everyone.
public final class Authorization: ServerInterceptor {
  private static let openServices = ["/grpc.health.v1.Health/", "/grpc.reflection."]
  private static let scheme = "bearer "
  private static let maxTokenBytes = 256
  /// The most calls that a person's tokens may have open at once.
  private static let maxCallsPerPerson = 64

  private let operatorHash: TokenHash
  private let tokens: TokenRegistry
  private let known = TokenCache()
  private let open = Mutex<[PersonID: Int]>([:])

  /// - Parameter operatorToken: the token of the configuration.
  public init(operatorToken: String, tokens: TokenRegistry) {
    operatorHash = TokenHash(operatorToken)
    self.tokens = tokens
  }

  public func intercept(
    _ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void
  ) async throws {
    if Self.openServices.contains(where: call.path.hasPrefix) { return try await next(call) }
    let principal = try await authenticate(call.metadata.first("authorization"))
    call.values[PrincipalKey.self] = principal
    guard case .person(let person) = principal else { return try await next(call) }
    try begin(person)
    defer { end(person) }
    try await next(call)
  }

  private func authenticate(_ header: String?) async throws -> Principal {
    guard let header, header.prefix(Self.scheme.count).lowercased() == Self.scheme,
      header.utf8.count <= Self.maxTokenBytes
    else { throw RPCStatus.unauthenticated }
    let hash = TokenHash(String(header.dropFirst(Self.scheme.count)))
    if hash.equals(operatorHash) { return .operator }
    if let remembered = known.find(hash) { return try remembered.get() }
    let principal = try await tokens.principal(tokenHash: hash.bytes)
    known.remember(hash, principal)
    guard let principal else { throw RPCStatus.unauthenticated }
    return principal
  }

  private func begin(_ person: PersonID) throws {
    let isAllowed = open.withLock { open in
      guard open[person, default: 0] < Self.maxCallsPerPerson else { return false }
      open[person, default: 0] += 1
      return true
    }
    guard isAllowed else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_CALLS", message: "at most \(Self.maxCallsPerPerson) calls at once")
    }
  }

  private func end(_ person: PersonID) {
    open.withLock { open in
      let left = open[person, default: 1] - 1
      open[person] = left > 0 ? left : nil
    }
  }
}
