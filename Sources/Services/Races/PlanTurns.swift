internal import Domain
internal import RPCRuntime
internal import Storage
internal import Synchronization

/// How many plans are made at once, and how often one person may ask: each reads a part of the map.
final class PlanTurns: Sendable {
  static let maxAtOnce = 3
  static let maxPerMinute = 60

  private struct State {
    /// Plans of each person in the minute that runs.
    var asked: [PersonID: Int] = [:]
    var began = ContinuousClock.now
  }

  private let state = Mutex(State())
  private let turns = FairTurns(places: maxAtOnce, perAsker: 1, waiting: 0)

  /// Makes a plan of a person.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_BUSY if the person has one running, or too many others have; with reason
  ///   TOO_MANY_PLANS if the person has asked too often; what `body` throws.
  func run<T>(of person: PersonID, _ body: () async throws -> T) async throws -> T {
    do {
      return try await turns.run(for: .account(person)) {
        try count(person)
        return try await body()
      }
    } catch is FairTurns.Full {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_BUSY", message: "other plans are being made; try again in a few seconds")
    }
  }

  private func count(_ person: PersonID) throws {
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
