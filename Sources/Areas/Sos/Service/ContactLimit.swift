internal import RPCRuntime
internal import ServiceKit
internal import Synchronization

/// How many answers of contacts one address may send in a minute: they need no account. This machine's own programs do not
/// count.
final class ContactLimit: Sendable {
  static let answersPerMinute = 20
  /// More addresses than this in a minute are not told apart any more: all of them start again.
  private static let maxAddresses = 10_000

  private let windows = Mutex<[ClientAddress: (began: ContinuousClock.Instant, answers: Int)]>([:])

  /// Counts an answer.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_MANY_CONTACT_ANSWERS.
  func count(_ address: ClientAddress, at now: ContinuousClock.Instant = .now) throws {
    if address.isThisMachine { return }
    let isAllowed = windows.withLock { windows in
      if windows.count >= Self.maxAddresses, windows[address] == nil {
        windows = windows.filter { $0.value.began + .seconds(60) > now }
        if windows.count >= Self.maxAddresses { windows.removeAll() }
      }
      var window = windows[address] ?? (now, 0)
      if window.began + .seconds(60) <= now { window = (now, 0) }
      window.answers += 1
      windows[address] = window
      return window.answers <= Self.answersPerMinute
    }
    guard isAllowed else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_CONTACT_ANSWERS",
        message: "at most \(Self.answersPerMinute) answers a minute from one address; try again later")
    }
  }
}
