internal import Domain
internal import RPCRuntime
internal import Synchronization

/// The calls that are made with tokens, by account: so that they can be counted, and end with their token.
///
/// No token takes all the room of an account, and what devices and bridges take is not the room of the account's
/// sessions: whoever has a stolen token can't keep its owner from ending it.
final class OpenCalls: Sendable {
  /// The most calls that may be open at once with one token, or in one session, whose tokens change.
  static let maxPerToken = 64
  /// The most calls that an account may have open at once in its sessions; and as many again with tokens that push
  /// readings.
  static let maxPerAccount = 128

  private struct Open {
    let call: ServerCall
    let holder: Holder
    var token: KnownToken
    /// Whether it ends its own token, and has an answer to give.
    var isSpared = false
  }

  /// What calls are counted for within an account.
  private enum Holder: Hashable {
    case session(SessionID)
    case token(TokenHash)
  }

  /// The calls of one account.
  private struct AccountCalls {
    var open: [ObjectIdentifier: Open] = [:]
    private var held: [Holder: Int] = [:]
    private var pushers = 0

    /// Counts a call; the number of calls that there are already if that is too many.
    mutating func add(_ call: ServerCall, _ token: KnownToken) -> Int? {
      let holder = token.session.map(Holder.session) ?? .token(token.hash)
      let isPusher = token.principal.isPusherOnly
      guard held[holder, default: 0] < OpenCalls.maxPerToken else { return OpenCalls.maxPerToken }
      guard (isPusher ? pushers : open.count - pushers) < OpenCalls.maxPerAccount else {
        return OpenCalls.maxPerAccount
      }
      open[ObjectIdentifier(call)] = Open(call: call, holder: holder, token: token)
      held[holder, default: 0] += 1
      if isPusher { pushers += 1 }
      return nil
    }

    mutating func spare(_ call: ServerCall) { open[ObjectIdentifier(call)]?.isSpared = true }

    mutating func remove(_ call: ServerCall) {
      guard let ended = open.removeValue(forKey: ObjectIdentifier(call)) else { return }
      if ended.token.principal.isPusherOnly { pushers -= 1 }
      let left = held[ended.holder, default: 0] - 1
      held[ended.holder] = left > 0 ? left : nil
    }
  }

  /// How long a call whose token has ended may take to say so: a client that does not read can't be told.
  private static let farewellTime: Duration = .milliseconds(500)

  private let open = Mutex<[AccountID: AccountCalls]>([:])
  /// Calls that were ended and may still be waiting for their clients, oldest first.
  private let ending = Mutex<[(call: ServerCall, since: ContinuousClock.Instant)]>([])

  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_MANY_CALLS.
  func begin(_ call: ServerCall, _ token: KnownToken, of account: AccountID) throws {
    guard let limit = open.withLock({ $0[account, default: AccountCalls()].add(call, token) }) else { return }
    let whose = limit == Self.maxPerToken ? "with one token" : "of one account"
    throw RPCStatus.failure(
      .resourceExhausted, reason: "TOO_MANY_CALLS", message: "at most \(limit) calls at once \(whose)",
      metadata: ["limit": "\(limit)"])
  }

  /// The call goes on when its token ends.
  func spare(_ call: ServerCall, of account: AccountID) { open.withLock { $0[account]?.spare(call) } }

  func end(_ call: ServerCall, of account: AccountID) {
    open.withLock { open in
      open[account]?.remove(call)
      if open[account]?.open.isEmpty == true { open[account] = nil }
    }
  }

  /// Ends the calls whose tokens have ended.
  func endAll(_ ending: AccessEnding) {
    endAll(of: ending.account) { ending.ends($0.principal, session: $0.session) }
  }

  /// Ends the calls whose tokens have expired, and cuts off those that were ended a while ago and are still there.
  func endExpired() {
    let now = ContinuousClock.now
    endAll { $0.isOver(at: now) }
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
      for (id, call) in calls.open {
        // Its end may have been moved.
        if let token = valid[call.token.hash] { open[account]?.open[id]?.token = token }
      }
    }
    endAll(of: account) { valid[$0.hash] == nil }
  }

  /// The accounts that have calls open now.
  var accounts: Set<AccountID> { open.withLock { Set($0.keys) } }

  var count: Int { open.withLock { $0.values.reduce(0) { $0 + $1.open.count } } }

  private func endAll(of account: AccountID? = nil, where isOver: (KnownToken) -> Bool) {
    let calls = open.withLock { open in
      let suspects = account.map { Array(open[$0]?.open.values ?? [:].values) } ?? open.values.flatMap(\.open.values)
      return suspects.filter { !$0.isSpared && isOver($0.token) }
    }
    // Outside the lock: ending a call may run its handler's cancellation here.
    for ended in calls { ended.call.end(with: .sessionEnded) }
    let now = ContinuousClock.now
    ending.withLock { $0 += calls.map { ($0.call, now) } }
  }
}
