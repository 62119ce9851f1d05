internal import RPCRuntime
internal import Synchronization

/// How many registrations one address may attempt in a minute.
///
/// Registration is open to strangers, and an attempt tells whether a name is taken: without a bound, somebody could ask
/// for every name and every fiscal code. This machine's own programs do not count.
final class RegistrationLimit: Sendable {
  private struct Window {
    var began: ContinuousClock.Instant
    var attempts: Int
  }

  /// More addresses than this in a minute are not told apart any more: all of them start again.
  private static let maxAddresses = 10_000
  private let attemptsPerMinute: Int
  private let windows = Mutex<[ClientAddress: Window]>([:])

  /// - Parameter attemptsPerMinute: 0 means without limit.
  init(attemptsPerMinute: Int) { self.attemptsPerMinute = attemptsPerMinute }

  /// Counts an attempt.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_MANY_REGISTRATIONS.
  func count(_ address: ClientAddress, at now: ContinuousClock.Instant = .now) throws {
    guard attemptsPerMinute > 0, !address.isThisMachine else { return }
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
}
