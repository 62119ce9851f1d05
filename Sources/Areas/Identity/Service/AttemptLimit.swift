internal import RPCRuntime
internal import ServiceKit
internal import Synchronization

/// How often strangers may try something in a minute: from one address, and from one network of many addresses. This
/// machine's own programs do not count.
final class AttemptLimit: Sendable {
  private struct Window {
    var began: ContinuousClock.Instant
    var attempts: Int
  }

  /// More addresses and networks than this in a minute are not told apart any more: all of them start again.
  private static let maxAddresses = 10_000
  /// A network has as many attempts as so many addresses.
  static let addressesPerNetwork = 10

  private let perMinute: Int
  private let reason: String
  private let attempts: String
  private let windows = Mutex<[ClientAddress: Window]>([:])

  /// - Parameters:
  ///   - perMinute: of one address; 0 means without limit.
  ///   - reason: of the status beyond that.
  ///   - attempts: what is counted, for people.
  init(perMinute: Int, reason: String, of attempts: String) {
    self.perMinute = perMinute
    self.reason = reason
    self.attempts = attempts
  }

  /// Counts an attempt, before it is made: attempts made at once are no more than those made one after the other.
  /// - Throws: RESOURCE_EXHAUSTED with the reason.
  func take(_ client: ClientAddress, at now: ContinuousClock.Instant = .now) throws {
    guard perMinute > 0, !client.isThisMachine else { return }
    let isAllowed = windows.withLock { windows in
      // The network first: one with many addresses does not fill the table with them.
      Self.take(client.network, perMinute * Self.addressesPerNetwork, &windows, now)
        && Self.take(client, perMinute, &windows, now)
    }
    guard isAllowed else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: reason,
        message: "at most \(perMinute) \(attempts) a minute from one address; try again later",
        metadata: ["limit": String(perMinute)])
    }
  }

  /// Takes an attempt back that was none.
  func giveBack(_ client: ClientAddress) {
    windows.withLock { windows in
      for place in [client, client.network] {
        if let attempts = windows[place]?.attempts, attempts > 0 { windows[place]?.attempts = attempts - 1 }
      }
    }
  }

  private static func take(
    _ place: ClientAddress, _ max: Int, _ windows: inout [ClientAddress: Window], _ now: ContinuousClock.Instant
  ) -> Bool {
    if windows.count >= maxAddresses, windows[place] == nil {
      windows = windows.filter { $0.value.began + .seconds(60) > now }
      if windows.count >= maxAddresses { windows.removeAll() }
    }
    var window = windows[place] ?? Window(began: now, attempts: 0)
    if window.began + .seconds(60) <= now { window = Window(began: now, attempts: 0) }
    defer { windows[place] = window }
    guard window.attempts < max else { return false }
    window.attempts += 1
    return true
  }
}
