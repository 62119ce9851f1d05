internal import Domain
internal import SosRules
internal import Synchronization

/// How streams have ended, for those whose silence is an alarm. Bounded: of the oldest it is forgotten, and then it counts
/// as not known.
final class StreamTable: Sendable {
  private static let maxEnded = 65_536

  private struct State {
    var ended: [StreamNumber: StreamEnd] = [:]
    /// In the order in which they ended, as a ring.
    var order: [StreamNumber] = []
    var oldest = 0
  }

  private let state = Mutex(State())

  func end(_ stream: StreamNumber, _ end: StreamEnd) {
    guard stream != 0 else { return }
    state.withLock { state in
      guard state.ended.updateValue(end, forKey: stream) == nil else { return }
      if state.order.count < Self.maxEnded {
        state.order.append(stream)
      } else {
        state.ended[state.order[state.oldest]] = nil
        state.order[state.oldest] = stream
        state.oldest = (state.oldest + 1) % Self.maxEnded
      }
    }
  }

  /// How a stream ended; nil: it is open, or nothing is known of it.
  func end(of stream: StreamNumber) -> StreamEnd? { stream == 0 ? nil : state.withLock { $0.ended[stream] } }
}

/// One set of rules for all persons whose rules are equal. Those with limits of their own have a set of their own.
final class RuleSetCache: Sendable {
  private let sets = Mutex<[RuleSet.Key: RuleSet]>([:])

  func rules(_ key: RuleSet.Key) -> RuleSet {
    // Bounded by the ages that there are.
    guard key.thresholds.isEmpty, key.thresholdsVersion == 0, key.age.map({ 0...150 ~= $0 }) ?? true else {
      return RuleSet(key)
    }
    return sets.withLock { sets in
      if let known = sets[key] { return known }
      let made = RuleSet(key)
      sets[key] = made
      return made
    }
  }
}
