internal import Domain
internal import RPCRuntime
internal import ServiceKit
internal import Synchronization

/// Bounds how often a third party may ask for fiscal codes that lead to nobody: who tries out codes to find out who is
/// here gets nowhere. Kept in memory: it starts anew with the server.
final class LookupLimit: Sendable {
  private struct Window {
    var began: ContinuousClock.Instant
    var misses = 0
  }

  private static let maxMisses = 100
  private static let length: Duration = .seconds(3_600)
  /// More third parties than this in one hour: the oldest windows are forgotten.
  private static let capacity = 10_000

  private let windows = Mutex<[AccountID: Window]>([:])

  /// Looks somebody up. It counts from the beginning, so that questions asked at once are no more than those asked one
  /// after the other, and is taken back if somebody was found.
  ///
  /// - Throws: RESOURCE_EXHAUSTED if the third party has had too many misses within the hour; what `lookup` throws.
  nonisolated(nonsending) func counted<T>(for account: AccountID, _ lookup: () async throws -> T?) async throws -> T? {
    let began = try begin(account)
    do {
      let found = try await lookup()
      if found != nil { takeBack(account, began) }
      return found
    } catch {
      takeBack(account, began)
      throw error
    }
  }

  /// - Returns: the beginning of the window in which the lookup counts.
  private func begin(_ account: AccountID) throws -> ContinuousClock.Instant {
    let began = windows.withLock { windows -> ContinuousClock.Instant? in
      if let window = windows[account], window.began + Self.length <= .now { windows[account] = nil }
      if windows.count >= Self.capacity, windows[account] == nil,
        let oldest = windows.min(by: { $0.value.began < $1.value.began })
      {
        windows[oldest.key] = nil
      }
      var window = windows[account] ?? Window(began: .now)
      guard window.misses < Self.maxMisses else { return nil }
      window.misses += 1
      windows[account] = window
      return window.began
    }
    guard let began else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_LOOKUPS",
        message: "too many fiscal codes that lead to nobody; try again in an hour")
    }
    return began
  }

  private func takeBack(_ account: AccountID, _ began: ContinuousClock.Instant) {
    windows.withLock { windows in
      if windows[account]?.began == began { windows[account]?.misses -= 1 }
    }
  }
}
