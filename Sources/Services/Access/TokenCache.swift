internal import Domain
internal import RPCRuntime
internal import Synchronization

/// What tokens stood for a moment ago, so that neither a busy client nor a stranger who guesses asks the database at
/// every call. Entries live for two seconds; the cache holds at most 10,000 of them.
final class TokenCache: Sendable {
  private struct Entry {
    let principal: Principal?
    let expires: ContinuousClock.Instant
  }

  private static let lifetime: Duration = .seconds(2)
  private static let capacity = 10_000
  private let entries = Mutex<[TokenHash: Entry]>([:])

  /// What a token stood for: nil if it is not remembered, a failure if it stood for nobody.
  func find(_ hash: TokenHash) -> Result<Principal, RPCStatus>? {
    guard let entry = entries.withLock({ $0[hash] }), entry.expires > .now else { return nil }
    return entry.principal.map { .success($0) } ?? .failure(.unauthenticated)
  }

  /// Remembers whom a token stands for; nil for nobody.
  func remember(_ hash: TokenHash, _ principal: Principal?) {
    entries.withLock { entries in
      if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
      entries[hash] = Entry(principal: principal, expires: .now + Self.lifetime)
    }
  }
}
