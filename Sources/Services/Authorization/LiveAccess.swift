public import Domain
public import RPCRuntime
public import Storage
internal import Synchronization

/// Who may call now: what tokens stand for, and the calls that are made with them.
///
/// What ends in this process ends its calls at once. What ends elsewhere is noticed by `recheck()`, and new calls notice
/// it within two seconds.
public final class LiveAccess: Sendable {
  private let tokens: TokenRegistry
  private let known = TokenCache()
  /// Tokens of dispatchers that have called since the server began: they can connect while the database is gone, for
  /// calls are made then too. As many as administrators have made.
  private let dispatchers = Mutex<[TokenHash: KnownToken]>([:])
  let calls = OpenCalls()

  public init(tokens: TokenRegistry) { self.tokens = tokens }

  /// Whom a token stands for.
  /// - Throws: UNAUTHENTICATED for nobody; `PostgresError`.
  func find(_ hash: TokenHash) async throws -> KnownToken {
    let token: KnownToken
    if let remembered = known.find(hash) {
      token = remembered
    } else {
      let generation = known.generation
      do { token = KnownToken(hash: hash, try await tokens.holder(tokenHash: hash.bytes)) } catch {
        guard let dispatcher = dispatchers.withLock({ $0[hash] }) else { throw error }
        return dispatcher
      }
      known.remember(token, asOf: generation)
      rememberDispatcher(token)
    }
    guard token.principal != nil else { throw RPCStatus.unauthenticated }
    return token
  }

  private func rememberDispatcher(_ token: KnownToken) {
    guard case .dispatcher = token.principal else {
      return dispatchers.withLock { $0[token.hash] = nil }
    }
    dispatchers.withLock { $0[token.hash] = token }
  }

  /// To be called when something has ended in the database: its tokens are valid no more, and its open calls end with
  /// UNAUTHENTICATED and reason SESSION_ENDED.
  /// - Parameter call: the one call that goes on, to answer.
  public func end(_ ending: AccessEnding, except call: ServerCall? = nil) {
    known.forget(ending)
    dispatchers.withLock { dispatchers in
      dispatchers = dispatchers.filter { _, token in
        token.principal.map { !ending.ends($0, session: token.session) } ?? false
      }
    }
    calls.endAll(ending, except: call)
  }

  /// Ends the calls whose tokens have expired, or have ended in another process. To be called twice a second.
  /// - Throws: `PostgresError`.
  public func recheck() async throws {
    calls.endExpired()
    let hashes = calls.tokens
    if hashes.isEmpty { return }
    let valid = try await tokens.valid(among: hashes.map(\.bytes))
    calls.endAll(with: hashes.filter { !valid.contains($0.bytes) })
  }
}
