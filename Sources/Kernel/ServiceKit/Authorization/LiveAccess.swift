public import Domain
public import Log
internal import Postgres
package import RPCRuntime
internal import Synchronization

/// Who may call now: what tokens stand for, and the calls that are made with them.
///
/// All valid tokens are at hand, so that nobody who has one waits for the database. What begins or ends in this process
/// holds at once, and ends its calls; what begins or ends elsewhere, after the next `refresh()`. While the database can't
/// be asked, what was known last holds.
public final class LiveAccess: Sendable {
  /// A look at what has changed elsewhere.
  private struct Look {
    /// nil: everything has to be read.
    var mark: TokenMark?
    /// When the mark was set.
    var since = ContinuousClock.now
    /// Accounts that are to be read again.
    var again: Set<AccountID> = []
    var isUnderWay = false
  }

  /// Unknown tokens that wait to be looked up.
  private static let maxLookupsWaiting = 1_024

  private let registry: TokenRegistry
  private let readAllAfter: Duration
  private let look = Mutex(Look())
  /// Unknown tokens are looked up one at a time, each address's in turn: whoever invents them keeps nobody from the database.
  package let lookups = FairTurns(places: 1, perAsker: 1, waiting: maxLookupsWaiting)
  /// When one of them last found no database, and what it heard.
  private let noDatabase = Mutex<(at: ContinuousClock.Instant, error: PostgresError)?>(nil)
  let tokens = KnownTokens()
  let calls = OpenCalls()

  /// - Parameter readAllAfter: how long after a look changes alone are read; later all tokens are. Half the time for which
  ///   changes can be read, for the looks of one server are not on time.
  public init(tokens registry: TokenRegistry, readAllAfter: Duration = TokenRegistry.changesLast / 2) {
    self.registry = registry
    self.readAllAfter = readAllAfter
  }

  /// Whom a token stands for. The database is asked for tokens only that are not known.
  /// - Parameter client: with whose other unknown tokens it takes turns.
  /// - Throws: UNAUTHENTICATED for nobody; RESOURCE_EXHAUSTED with reason TOO_BUSY; `PostgresError`.
  func find(_ hash: TokenHash, for client: ClientAddress) async throws -> KnownToken {
    switch tokens.find(hash) {
    case .token(let token): return token
    case .nobody: throw RPCStatus.unauthenticated
    case .unknown: break
    }
    let count = tokens.changes
    guard let holder = try await lookUp(hash, for: client) else {
      tokens.addStranger(hash)
      throw RPCStatus.unauthenticated
    }
    let token = KnownToken(hash: hash, holder)
    tokens.add(token, asOf: count)
    return token
  }

  private func lookUp(_ hash: TokenHash, for client: ClientAddress) async throws -> TokenHolder? {
    let came = ContinuousClock.now
    return try await lookups.run(for: .client(client.key)) {
      // The one before has waited for the database as long as anybody does.
      if let (at, error) = noDatabase.withLock({ $0 }), at > came { throw error }
      do {
        return try await registry.holder(tokenHash: hash.bytes)
      } catch let error as PostgresError where error.kind == .connection {
        noDatabase.withLock { $0 = (.now, error) }
        throw error
      }
    }
  }

  /// Whether a token is known to stand for somebody: the database is not asked.
  package func knows(_ hash: TokenHash) -> Bool {
    if case .token = tokens.find(hash) { true } else { false }
  }

  /// To be taken before something is changed in the database that begins tokens.
  package var changes: UInt64 { tokens.changes }

  /// How often the database is asked about a token that was just added to it.
  private static let maxQuestions = 3

  /// To be called when a token has been added to the database, and before it is answered: its first call need not ask the
  /// database, which may be gone by then.
  /// - Parameter count: `changes` before that.
  package func begin(_ token: String, _ holder: TokenHolder, asOf count: UInt64) async {
    let hash = TokenHash(token)
    if tokens.add(KnownToken(hash: hash, holder), asOf: count) { return }
    // Something of its account may have ended meanwhile; a look at the database took place.
    for _ in 0..<Self.maxQuestions {
      let count = tokens.changes
      guard let holder = try? await registry.holder(tokenHash: hash.bytes) else { return }
      if tokens.add(KnownToken(hash: hash, holder), asOf: count) { return }
    }
  }

  /// To be called before a call ends its own token in the database: it goes on, to answer, also where a look at the
  /// database sees the end before it does.
  package func spare(_ call: ServerCall, of account: AccountID) { calls.spare(call, of: account) }

  /// To be called when something has ended in the database: its tokens are valid no more, and its open calls end with
  /// UNAUTHENTICATED and reason SESSION_ENDED.
  public func end(_ ending: AccessEnding) {
    tokens.forget(ending)
    calls.endAll(ending)
  }

  /// Ends the calls whose tokens have expired. To be called twice a second.
  public func endExpired() {
    tokens.forgetExpired()
    calls.endExpired()
  }

  /// Takes up what has changed in the database, and ends the calls whose tokens have ended. To be called before the first
  /// call comes, and twice a second; one look at a time.
  /// - Throws: `PostgresError`.
  public func refresh() async throws {
    let look = look.withLock { look -> Look? in
      if look.isUnderWay { return nil }
      look.isUnderWay = true
      if .now - look.since > readAllAfter { look.mark = nil }
      return look
    }
    guard let look else { return }
    defer { self.look.withLock { $0.isUnderWay = false } }
    let (began, count) = (ContinuousClock.now, tokens.changes)
    let (accounts, read, next) = try await changes(look)
    let again = tokens.replace(accounts, by: read, asOf: count)
    self.look.withLock { look in (look.mark, look.since, look.again) = (next, began, again) }
    for account in (accounts ?? calls.accounts).subtracting(again) {
      calls.keep(tokens.tokens(of: account), of: account)
    }
  }

  private func changes(_ look: Look) async throws -> (accounts: Set<AccountID>?, tokens: [KnownToken], next: TokenMark)
  {
    if let mark = look.mark {
      let (accounts, tokens, next) = try await registry.changes(since: mark, and: look.again)
      return (accounts, tokens.map { KnownToken($0) }, next)
    }
    let (tokens, next) = try await registry.all { KnownToken($0) }
    return (nil, tokens, next)
  }
}
