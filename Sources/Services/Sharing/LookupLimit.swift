internal import Domain
internal import RPCRuntime
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

  /// - Throws: RESOURCE_EXHAUSTED if the third party has had too many misses within the hour.
  func check(_ account: AccountID) throws {
    let isOver = windows.withLock { windows in
      guard let window = windows[account] else { return false }
      if window.began + Self.length <= .now {
        windows[account] = nil
        return false
      }
      return window.misses >= Self.maxMisses
    }
    guard !isOver else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_LOOKUPS",
        message: "too many fiscal codes that lead to nobody; try again in an hour")
    }
  }

  /// A fiscal code of the third party led to nobody.
  func missed(_ account: AccountID) {
    windows.withLock { windows in
      if windows.count >= Self.capacity, windows[account] == nil,
        let oldest = windows.min(by: { $0.value.began < $1.value.began })
      {
        windows[oldest.key] = nil
      }
      windows[account, default: Window(began: .now)].misses += 1
    }
  }
}
