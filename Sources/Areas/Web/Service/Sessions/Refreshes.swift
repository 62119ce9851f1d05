internal import DequeModule
internal import HTTPServer
internal import RPCRuntime
internal import ServiceKit
internal import Synchronization
internal import WireCodec

/// Exchanges refresh tokens, each once.
///
/// A refresh token that is used twice ends its session, because one of two has stolen it. But a browser sends the same one
/// with every call that it makes while none of them is answered, and again where an answer is lost. So whoever comes with
/// a token that was exchanged here within a minute gets what came of it. After a restart of the server, or later, a
/// browser that did not get the answer has to sign in anew.
///
/// Only what came of a good token is remembered, and of a session the last exchange alone: so who invents tokens, or
/// exchanges their own very often, takes nobody's memory.
final class Refreshes: Sendable {
  enum Outcome: Sendable {
    case session(Trackme_Identity_V1_Session)
    case ended
  }

  /// How long an exchange is remembered.
  static let memory: Duration = .seconds(60)
  /// The most exchanges that are remembered.
  static let countMax = 10_000

  private struct Exchanged {
    let session: Trackme_Identity_V1_Session
    /// Of the token that came of it.
    let next: TokenHash
    let until: ContinuousClock.Instant
  }

  private struct Known {
    /// By the token that is exchanged. No more than there are requests that wait for them.
    var underWay: [TokenHash: Task<Outcome, any Error>] = [:]
    /// By the token that was exchanged.
    var exchanged: [TokenHash: Exchanged] = [:]
    /// From the token that came of an exchange to the one that was exchanged.
    var origins: [TokenHash: TokenHash] = [:]
    /// Oldest first, with some that are remembered no more.
    var order: Deque<(hash: TokenHash, until: ContinuousClock.Instant)> = []

    /// What came of a token within the time for which it is remembered.
    mutating func session(_ hash: TokenHash, at now: ContinuousClock.Instant) -> Trackme_Identity_V1_Session? {
      while let oldest = order.first, oldest.until <= now || exchanged[oldest.hash]?.until != oldest.until {
        order.removeFirst()
        if exchanged[oldest.hash]?.until == oldest.until { forget(oldest.hash) }
      }
      return exchanged[hash]?.session
    }

    mutating func remember(
      _ session: Trackme_Identity_V1_Session, for hash: TokenHash, until: ContinuousClock.Instant
    ) {
      // Whoever has this token has what came of the one before.
      if let before = origins[hash] { forget(before) }
      if exchanged.count >= Refreshes.countMax,
        let oldest = order.first(where: { exchanged[$0.hash]?.until == $0.until })
      {
        forget(oldest.hash)
      }
      if order.count >= 2 * Refreshes.countMax {
        order.removeAll { [exchanged] in exchanged[$0.hash]?.until != $0.until }
      }
      let next = TokenHash(session.refreshToken)
      exchanged[hash] = Exchanged(session: session, next: next, until: until)
      origins[next] = hash
      order.append((hash, until))
    }

    private mutating func forget(_ hash: TokenHash) {
      guard let entry = exchanged.removeValue(forKey: hash) else { return }
      if origins[entry.next] == hash { origins[entry.next] = nil }
    }
  }

  private let identity: LocalIdentity
  private let memory: Duration
  private let known = Mutex(Known())

  init(_ identity: LocalIdentity, memory: Duration = Refreshes.memory) {
    self.identity = identity
    self.memory = memory
  }

  /// - Parameter request: that came with it, for where it comes from.
  /// - Throws: what `RefreshSession` throws where the token is not at fault.
  func tokens(for token: String, of request: HTTPRequest) async throws -> Outcome {
    let hash = TokenHash(token)
    let exchange = known.withLock { known -> Task<Outcome, any Error> in
      if let session = known.session(hash, at: .now) { return Task { .session(session) } }
      if let exchange = known.underWay[hash] { return exchange }
      // A task of its own: whoever asks first may go away, and others wait for the same.
      let exchange = Task { try await self.exchange(token, hash, request) }
      known.underWay[hash] = exchange
      return exchange
    }
    return try await exchange.value
  }

  private func exchange(_ token: String, _ hash: TokenHash, _ request: HTTPRequest) async throws -> Outcome {
    do {
      let session = try await identity.refresh(token, request)
      known.withLock { known in
        known.underWay[hash] = nil
        known.remember(session, for: hash, until: .now + memory)
      }
      return .session(session)
    } catch {
      // The next one tries again.
      known.withLock { $0.underWay[hash] = nil }
      guard let status = error as? RPCStatus, [.unauthenticated, .invalidArgument].contains(status.code) else {
        throw error
      }
      return .ended
    }
  }

  /// How many exchanges are remembered.
  var count: Int { known.withLock(\.exchanged.count) }
}
