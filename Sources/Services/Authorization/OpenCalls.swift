internal import Domain
internal import RPCRuntime
internal import Synchronization

/// The calls that are made with tokens, by account: so that they can be counted, and end with their token.
final class OpenCalls: Sendable {
  /// The most calls that an account may have open at once.
  static let maxPerAccount = 64

  private struct Open {
    let call: ServerCall
    var token: KnownToken
  }

  /// How long a call whose token has ended may take to say so: a client that does not read can't be told.
  private static let farewellTime: Duration = .milliseconds(500)

  private let open = Mutex<[AccountID: [ObjectIdentifier: Open]]>([:])
  /// Calls that were ended and may still be waiting for their clients, oldest first.
  private let ending = Mutex<[(call: ServerCall, since: ContinuousClock.Instant)]>([])

  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_MANY_CALLS.
  func begin(_ call: ServerCall, _ token: KnownToken, of account: AccountID) throws {
    let isAllowed = open.withLock { open in
      guard open[account]?.count ?? 0 < Self.maxPerAccount else { return false }
      open[account, default: [:]][ObjectIdentifier(call)] = Open(call: call, token: token)
      return true
    }
    guard isAllowed else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_CALLS", message: "at most \(Self.maxPerAccount) calls at once")
    }
  }

  func end(_ call: ServerCall, of account: AccountID) {
    open.withLock { open in
      open[account]?[ObjectIdentifier(call)] = nil
      if open[account]?.isEmpty == true { open[account] = nil }
    }
  }

  /// Ends the calls whose tokens have ended.
  /// - Parameter exempt: the call that asks for it, which has an answer to give.
  func endAll(_ ending: AccessEnding, except exempt: ServerCall?) {
    endAll(of: ending.account) { token, call in
      call !== exempt && ending.ends(token.principal, session: token.session)
    }
  }

  /// Ends the calls whose tokens have expired, and cuts off those that were ended a while ago and are still there.
  func endExpired() {
    let now = ContinuousClock.now
    endAll { token, _ in token.isOver(at: now) }
    let late = ending.withLock { ending in
      let count = ending.prefix { $0.since + Self.farewellTime <= now }.count
      defer { ending.removeFirst(count) }
      return ending.prefix(count).map(\.call)
    }
    for call in late { call.cutOff(with: .sessionEnded) }
  }

  /// Ends the calls of an account that are made with other tokens than these, which are all that are valid now.
  func keep(_ tokens: [KnownToken], of account: AccountID) {
    let valid = Dictionary(tokens.map { ($0.hash, $0) }, uniquingKeysWith: { $1 })
    open.withLock { open in
      guard let calls = open[account] else { return }
      for (id, call) in calls {
        // Its end may have been moved.
        if let token = valid[call.token.hash] { open[account]?[id]?.token = token }
      }
    }
    endAll(of: account) { token, _ in valid[token.hash] == nil }
  }

  /// The accounts that have calls open now.
  var accounts: Set<AccountID> { open.withLock { Set($0.keys) } }

  var count: Int { open.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  private func endAll(of account: AccountID? = nil, where isOver: (KnownToken, ServerCall) -> Bool) {
    let calls = open.withLock { open in
      let suspects = account.map { Array((open[$0] ?? [:]).values) } ?? open.values.flatMap(\.values)
      return suspects.filter { isOver($0.token, $0.call) }
    }
    // Outside the lock: ending a call may run its handler's cancellation here.
    for ended in calls { ended.call.end(with: .sessionEnded) }
    let now = ContinuousClock.now
    ending.withLock { $0 += calls.map { ($0.call, now) } }
  }
}
