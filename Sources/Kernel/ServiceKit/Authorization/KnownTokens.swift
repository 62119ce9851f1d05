internal import Domain
internal import Synchronization

/// Every token that is valid, at hand, and for a moment those that were found to be none: who calls is known without
/// asking the database. A token takes about 250 bytes, and as much again while all are read.
///
/// What is read from the database takes its time; what changes here meanwhile is newer. So every change here is counted,
/// and what was read does not replace it: its account is read once more.
final class KnownTokens: Sendable {
  /// Counts changes: to be taken before the database is asked.
  typealias Count = UInt64

  enum Found: Sendable {
    case token(KnownToken)
    /// It has expired, or the database did not know it a moment ago.
    case nobody
    /// The database has to be asked.
    case unknown
  }

  private struct State {
    /// The tokens of each account, most often one or two.
    var tokens: [AccountID: [KnownToken]] = [:]
    /// Whose a token is, by the first 64 bits of its hash.
    var accounts: [UInt64: AccountID] = [:]
    /// Accounts of which a token expires within the hour, by its last minute. Others that expire stay until something
    /// else changes of their accounts: they are few.
    var expiring: [Int64: Set<AccountID>] = [:]
    /// When tokens were looked for that do not exist.
    var strangers: [TokenHash: ContinuousClock.Instant] = [:]
    var changes: Count = 0
    /// The last change by which tokens of an account may have ended; of those not named, `lastEnding`.
    var endings: [AccountID: Count] = [:]
    var lastEnding: Count = 0
    /// The last change of each account that was made here since what was read last was taken up.
    var changed: [AccountID: Count] = [:]
  }

  /// So many who guess are told apart from tokens without asking the database again, for so long.
  static let maxStrangers = 10_000
  private static let strangersLast: Duration = .seconds(2)
  /// Of so many accounts it is kept when their tokens may have ended.
  static let maxEndings = 10_000
  private static let start = ContinuousClock.now
  private let state = Mutex(State())

  func find(_ hash: TokenHash) -> Found {
    let now = ContinuousClock.now
    return state.withLock { state in
      if let account = state.accounts[hash.prefix], let token = state.tokens[account]?.first(where: { $0.hash == hash })
      {
        return token.isOver(at: now) ? .nobody : .token(token)
      }
      return state.strangers[hash].map { $0 + Self.strangersLast > now } ?? false ? .nobody : .unknown
    }
  }

  /// The tokens of an account.
  func tokens(of account: AccountID) -> [KnownToken] { state.withLock { $0.tokens[account] ?? [] } }

  var count: Int { state.withLock(\.accounts.count) }

  /// To be taken before the database is asked.
  var changes: Count { state.withLock(\.changes) }

  // MARK: Changes here

  /// A token was made here, or found in the database.
  /// - Parameter count: when that began.
  /// - Returns: whether it was taken up. If tokens of its account may have ended since, it may have ended with them: the
  ///   database has to be asked once more.
  @discardableResult
  func add(_ token: KnownToken, asOf count: Count) -> Bool {
    guard let account = token.principal.account else { return true }
    return state.withLock { state in
      state.changes += 1
      state.changed[account] = state.changes
      if max(state.lastEnding, state.endings[account] ?? 0) > count { return false }
      Self.insert(token, of: account, &state)
      return true
    }
  }

  /// The database does not know a token.
  func addStranger(_ hash: TokenHash) {
    state.withLock { state in
      if state.strangers.count >= Self.maxStrangers { state.strangers.removeAll(keepingCapacity: true) }
      state.strangers[hash] = .now
    }
  }

  /// Forgets every token that has ended.
  func forget(_ ending: AccessEnding) {
    state.withLock { state in
      state.changes += 1
      state.changed[ending.account] = state.changes
      Self.noteEndings(of: [ending.account], &state)
      let left = (state.tokens[ending.account] ?? []).filter { !ending.ends($0.principal, session: $0.session) }
      Self.set(left, of: ending.account, &state)
    }
  }

  /// Forgets tokens that have expired.
  func forgetExpired() {
    let now = ContinuousClock.now
    state.withLock { state in
      for minute in state.expiring.keys where minute < Self.minute(of: now) {
        for account in state.expiring.removeValue(forKey: minute) ?? [] {
          guard let tokens = state.tokens[account] else { continue }
          Self.set(tokens.filter { !$0.isOver(at: now) }, of: account, &state)
        }
      }
    }
  }

  // MARK: What was read

  /// Takes up what was read of some accounts; nil: of all that there are.
  ///
  /// - Parameters:
  ///   - tokens: all valid tokens of these accounts.
  ///   - count: when reading began.
  /// - Returns: accounts that have changed here meanwhile and were left as they are: they are to be read again.
  func replace(_ accounts: Set<AccountID>?, by tokens: [KnownToken], asOf count: Count) -> Set<AccountID> {
    var read: [AccountID: [KnownToken]] = [:]
    for token in tokens { if let account = token.principal.account { read[account, default: []].append(token) } }
    return state.withLock { state in
      let newer = Set(state.changed.filter { $0.value > count }.keys)
      let all = (accounts ?? Set(state.tokens.keys).union(read.keys)).subtracting(newer)
      for account in all { Self.set(read[account] ?? [], of: account, &state) }
      if !all.isEmpty {
        state.changes += 1
        Self.noteEndings(of: accounts == nil ? nil : all, &state)
      }
      state.changed = [:]
      return accounts.map(newer.intersection) ?? newer
    }
  }

  /// Tokens of these accounts may have ended by the last change; nil: of all.
  private static func noteEndings(of accounts: Set<AccountID>?, _ state: inout State) {
    if let accounts, state.endings.count + accounts.count <= maxEndings {
      for account in accounts { state.endings[account] = state.changes }
    } else {
      state.endings = [:]
      state.lastEnding = state.changes
    }
  }

  private static func set(_ tokens: [KnownToken], of account: AccountID, _ state: inout State) {
    for token in state.tokens[account] ?? [] { state.accounts[token.hash.prefix] = nil }
    state.tokens[account] = nil
    for token in tokens { insert(token, of: account, &state) }
  }

  private static func insert(_ token: KnownToken, of account: AccountID, _ state: inout State) {
    state.tokens[account, default: []].removeAll { $0.hash == token.hash }
    state.tokens[account, default: []].append(token)
    state.accounts[token.hash.prefix] = account
    state.strangers[token.hash] = nil
    if let end = token.end, end - .now < .seconds(3_600) {
      state.expiring[minute(of: end), default: []].insert(account)
    }
  }

  private static func minute(of time: ContinuousClock.Instant) -> Int64 { (time - start).components.seconds / 60 }
}
