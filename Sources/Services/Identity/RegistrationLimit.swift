internal import RPCRuntime
internal import Synchronization

/// How many registrations one address may attempt in a minute.
///
/// Registration is open to strangers, and an attempt tells whether a name is taken: without a bound, somebody could ask
/// for every name and every fiscal code. Addresses of IPv6 count by /64, for that is what one household has. This
/// machine's own (loopback, unix sockets) do not count: behind them is a local program, or a proxy that has clients of
/// its own to bound.
final class RegistrationLimit: Sendable {
  private struct Window {
    var began: ContinuousClock.Instant
    var attempts: Int
  }

  /// More addresses than this in a minute are not told apart any more: all of them start again.
  private static let maxAddresses = 10_000
  private let attemptsPerMinute: Int
  private let windows = Mutex<[String: Window]>([:])

  /// - Parameter attemptsPerMinute: 0 means without limit.
  init(attemptsPerMinute: Int) { self.attemptsPerMinute = attemptsPerMinute }

  /// Counts an attempt.
  /// - Parameter peer: the client's address as gRPC writes it, such as "ipv4:192.0.2.1:50123".
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_MANY_REGISTRATIONS.
  func count(_ peer: String, at now: ContinuousClock.Instant = .now) throws {
    guard attemptsPerMinute > 0, let address = Self.address(of: peer) else { return }
    let isAllowed = windows.withLock { windows in
      if windows.count >= Self.maxAddresses, windows[address] == nil {
        windows = windows.filter { $0.value.began + .seconds(60) > now }
        if windows.count >= Self.maxAddresses { windows.removeAll() }
      }
      var window = windows[address] ?? Window(began: now, attempts: 0)
      if window.began + .seconds(60) <= now { window = Window(began: now, attempts: 0) }
      window.attempts += 1
      windows[address] = window
      return window.attempts <= attemptsPerMinute
    }
    guard isAllowed else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_REGISTRATIONS",
        message: "at most \(attemptsPerMinute) registrations a minute from one address; try again later")
    }
  }

  /// What counts as one address; nil for this machine.
  static func address(of peer: String) -> String? {
    let parts = peer.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return peer }
    switch parts[0] {
    case "unix", "unix-abstract": return nil
    case "ipv4":
      let host = parts[1].prefix { $0 != ":" }
      return host.hasPrefix("127.") ? nil : String(host)
    case "ipv6":
      // "[2001:db8::1]:50123", with the brackets escaped.
      let plain = parts[1].split(separator: "%5B").last.map { $0.split(separator: "%5D")[0] } ?? parts[1]
      let host = plain.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
      if host == "::1" { return nil }
      if host.hasPrefix("::ffff:") { return address(of: "ipv4:" + host.dropFirst(7)) }
      let groups = host.split(separator: ":", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
      return groups.prefix(4).joined(separator: ":") + "/64"
    default: return peer
    }
  }
}
