@testable import Domain
@testable import SosRules

/// The rule of a crossing written down as it is said, for one source and one metric at rest: everything that has been
/// received is kept, and at each moment all of it is looked at again.
struct SlowEvaluator {
  struct Received {
    let time: Microseconds
    let value: Double
    let at: Microseconds
  }

  let limits: Limits
  private(set) var received: [Received] = []

  init(limits: Limits) { self.limits = limits }

  mutating func take(_ value: Double, time: Microseconds, at now: Microseconds) {
    if time >= now - PersonMonitor.freshness { received.append(Received(time: time, value: value, at: now)) }
  }

  private func kind(_ value: Double) -> CrossingKind? {
    if let low = limits.low, value < low { return .low }
    if let high = limits.high, value >= high { return .high }
    return nil
  }

  /// The crossings that are complete at the server's time.
  func completed(at now: Microseconds) -> Set<CrossingKind> {
    // One word a time: one beyond a limit counts more.
    var words: [Microseconds: [Received]] = [:]
    for reading in received { words[reading.time, default: []].append(reading) }
    let sorted = words.keys.sorted().map { time -> (kind: CrossingKind?, time: Microseconds, at: Microseconds) in
      let kinds = words[time]!.map { kind($0.value) }
      let counts = kinds.contains(.low) ? CrossingKind.low : kinds.contains(.high) ? .high : nil
      return (counts, time, words[time]!.filter { kind($0.value) == counts }.map(\.at).min()!)
    }
    var found: Set<CrossingKind> = []
    for (first, word) in sorted.enumerated() {
      guard let kind = word.kind else { continue }
      let run = sorted[first...].prefix { $0.kind == kind }
      if run.contains(where: { $0.time - word.time >= limits.hold && $0.time >= now - PersonMonitor.freshness }) {
        found.insert(kind)
      }
      let isNewestWord = run.endIndex == sorted.endIndex
      if isNewestWord, now - run.map(\.at).min()! >= limits.hold, run.last!.time >= now - PersonMonitor.freshness {
        found.insert(kind)
      }
    }
    return found
  }
}
