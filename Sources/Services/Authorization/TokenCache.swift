internal import Domain
internal import Storage
internal import Synchronization

/// Whom a token was found to stand for, and until when.
struct KnownToken: Sendable {
  let hash: TokenHash
  /// nil if it stands for nobody.
  let principal: Principal?
  let session: SessionID?
  /// When the token ends; nil if it does not.
  let end: ContinuousClock.Instant?

  init(hash: TokenHash, _ holder: TokenHolder?) {
    self.hash = hash
    principal = holder?.principal
    session = holder?.session
    end = holder?.timeLeft.map { .now + $0 }
  }
}

/// What tokens stood for a moment ago, so that neither a busy client nor a stranger who guesses asks the database at
/// every call. Entries live for two seconds; the cache holds at most 10,000 of them.
final class TokenCache: Sendable {
  private struct Entry {
    let token: KnownToken
    let expires: ContinuousClock.Instant
  }

  private struct State {
    var entries: [TokenHash: Entry] = [:]
    /// Counts what was forgotten.
    var generation: UInt64 = 0
  }

  private static let lifetime: Duration = .seconds(2)
  private static let capacity = 10_000
  private let state = Mutex(State())

  /// What a token stood for; nil if it is not remembered.
  func find(_ hash: TokenHash) -> KnownToken? {
    guard let entry = state.withLock({ $0.entries[hash] }), entry.expires > .now else { return nil }
    return entry.token
  }

  /// To be taken before the database is asked.
  var generation: UInt64 { state.withLock(\.generation) }

  /// Remembers whom a token stands for, unless something was forgotten since the database was asked: its answer may be
  /// older than that.
  func remember(_ token: KnownToken, asOf generation: UInt64) {
    state.withLock { state in
      guard state.generation == generation else { return }
      if state.entries.count >= Self.capacity { state.entries.removeAll(keepingCapacity: true) }
      let expires = ContinuousClock.now + Self.lifetime
      state.entries[token.hash] = Entry(token: token, expires: token.end.map { min($0, expires) } ?? expires)
    }
  }

  /// Forgets every token that has ended.
  func forget(_ ending: AccessEnding) {
    state.withLock { state in
      state.generation += 1
      state.entries = state.entries.filter { _, entry in
        entry.token.principal.map { !ending.ends($0, session: entry.token.session) } ?? true
      }
    }
  }
}
