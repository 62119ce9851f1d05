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
final class Refreshes: Sendable {
  enum Outcome: Sendable {
    case session(Trackme_Identity_V1_Session)
    case ended
  }

  /// How long an exchange is remembered.
  static let memory: Duration = .seconds(60)
  /// The most exchanges that are remembered.
  static let countMax = 10_000

  private struct Known {
    var exchanges: [TokenHash: Task<Outcome, any Error>] = [:]
    /// Oldest first.
    var order: Deque<(hash: TokenHash, until: ContinuousClock.Instant)> = []
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
      let now = ContinuousClock.now
      while let oldest = known.order.first, oldest.until <= now || known.order.count >= Self.countMax {
        known.exchanges[oldest.hash] = nil
        known.order.removeFirst()
      }
      if let exchange = known.exchanges[hash] { return exchange }
      // A task of its own: whoever asks first may go away, and others wait for the same.
      let exchange = Task { [identity] in try await Self.exchange(token, identity, request) }
      known.exchanges[hash] = exchange
      known.order.append((hash, now + memory))
      return exchange
    }
    do {
      return try await exchange.value
    } catch {
      // It was not exchanged: the next one tries again.
      known.withLock { if $0.exchanges[hash] == exchange { $0.exchanges[hash] = nil } }
      throw error
    }
  }

  private static func exchange(
    _ token: String, _ identity: LocalIdentity, _ request: HTTPRequest
  ) async throws -> Outcome {
    do {
      return .session(try await identity.refresh(token, request))
    } catch let status as RPCStatus where [.unauthenticated, .invalidArgument].contains(status.code) {
      return .ended
    }
  }
}
