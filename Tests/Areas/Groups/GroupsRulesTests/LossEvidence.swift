import Foundation

/// What draws prove about the privacy loss of a mechanism, which may be anything: outcomes on two databases, each told
/// as one number, are counted above cut points that were chosen before.
///
/// It proves too much for one mechanism in a million. The more draws, the less does it prove too little.
struct LossEvidence {
  static let falseAlarm = 1e-6

  /// An outcome above a cut point: how likely it is at most on the one database, and at least on the other.
  private struct Event {
    let here: Double
    let there: Double
  }

  private let events: [Event]

  /// - Parameters:
  ///   - here: outcomes on one database.
  ///   - there: outcomes on the other, where they tend to be greater.
  init(here: [Double], there: [Double], cuts: [Double]) {
    let rarity = Self.falseAlarm / Double(2 * cuts.count)
    events = cuts.map { cut in
      Event(
        here: Self.most(here.count { $0 > cut }, of: here.count, rarity: rarity),
        there: Self.least(there.count { $0 > cut }, of: there.count, rarity: rarity))
    }
  }

  /// The mechanism is (ε, δ)-differentially private for no smaller ε.
  func epsilon(delta: Double) -> Double {
    let greatest = events.reduce(0.0) { greatest, event in
      // Above the cut point, and below it.
      max(greatest, (event.there - delta) / event.here, (1 - event.here - delta) / (1 - event.there))
    }
    return log(greatest)
  }

  /// Gaussian noise has no smaller ρ: two Gaussians whose means are √(2ρ) standard deviations apart can be told apart as
  /// well as these events can, and no better (Dong, Roth and Su, "Gaussian Differential Privacy", 2019).
  var rho: Double {
    let apart = events.map { Self.quantile($0.there) - Self.quantile($0.here) }.max() ?? 0
    return apart > 0 ? apart * apart / 2 : 0
  }

  /// The ε that Gaussian noise of a ρ has for a δ (Balle and Wang, "Improving the Gaussian Mechanism for Differential
  /// Privacy", 2018, theorem 8).
  static func gaussianEpsilon(rho: Double, delta: Double) -> Double {
    let apart = (2 * rho).squareRoot()
    return root(0, 1_000) { epsilon in
      normal(apart / 2 - epsilon / apart) - exp(epsilon) * normal(-apart / 2 - epsilon / apart) > delta
    }
  }

  // Clopper and Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial", 1934

  /// The probability with which so many of some draws, or more, come as rarely as `rarity`.
  static func least(_ successes: Int, of draws: Int, rarity: Double) -> Double {
    guard successes > 0 else { return 0 }
    let logChoices = (1...successes).reduce(0.0) { $0 + log(Double(draws - successes + $1) / Double($1)) }
    return root(0, Double(successes) / Double(draws)) { probability in
      var term = exp(
        logChoices + Double(successes) * log(probability) + Double(draws - successes) * log1p(-probability))
      var tail = 0.0
      for count in successes...draws where term > tail * 1e-16 {
        tail += term
        term *= Double(draws - count) / Double(count + 1) * probability / (1 - probability)
      }
      return tail < rarity
    }
  }

  /// The probability with which so many of some draws, or fewer, come as rarely as `rarity`.
  static func most(_ successes: Int, of draws: Int, rarity: Double) -> Double {
    1 - least(draws - successes, of: draws, rarity: rarity)
  }

  private static func normal(_ value: Double) -> Double { erfc(-value / 2.0.squareRoot()) / 2 }

  /// Of the normal distribution.
  static func quantile(_ probability: Double) -> Double { root(-40, 40) { normal($0) < probability } }

  /// Where it is no longer below, to the last bits.
  private static func root(_ low: Double, _ high: Double, _ isBelow: (Double) -> Bool) -> Double {
    var (low, high) = (low, high)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if isBelow(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
