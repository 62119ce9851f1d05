internal import Domain
internal import RPCRuntime
internal import ServiceKit
internal import Synchronization

/// How many plans one person may ask for in a minute: each reads a part of the map.
final class PlanLimit: Sendable {
  static let maxPerMinute = 60

  private struct State {
    /// Plans of each person in the minute that runs.
    var asked: [PersonID: Int] = [:]
    var began = ContinuousClock.now
  }

  private let state = Mutex(State())

  /// Counts a plan.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_MANY_PLANS.
  func count(_ person: PersonID) throws {
    try state.withLock { state in
      if state.began + .seconds(60) <= .now {
        state.asked = [:]
        state.began = .now
      }
      guard state.asked[person, default: 0] < Self.maxPerMinute else {
        throw RPCStatus.failure(
          .resourceExhausted, reason: "TOO_MANY_PLANS",
          message: "at most \(Self.maxPerMinute) plans a minute; try again later")
      }
      state.asked[person, default: 0] += 1
    }
  }
}
