import Testing

@testable import GroupsRules

/// Something that is told about a group, on two databases: some persons do in the one what changes an answer most.
struct Mechanism: Sendable, CustomTestStringConvertible {
  /// What these persons do.
  enum Change: Sendable {
    /// They are there, at the upper end of the scale.
    case come
    /// They go from the lower end of the scale to the upper one.
    case cross
    /// They go from the middle of the scale to the upper end.
    case rise
  }

  let testDescription: String
  let precision: Precision
  /// What it is said to cost all these persons: of so many, that of one times their number squared (Bun and Steinke,
  /// proposition 1.9).
  let stated: PrivacyLoss
  private let parts: [Part]

  /// - Parameters:
  ///   - releases: of each tally. The persons are in all of them.
  ///   - cost: how many numbers of the precision it is said to cost a person.
  ///   - persons: who change something. Whether one does shows in hardly any number of draws; of as many as there is noise
  ///     for, some thousands show it.
  ///   - others: who are spread over the scale, and over the strata.
  ///   - strata: of which the persons come from the first, and are in the last afterwards.
  ///   - seen: what of the releases is looked at; nil: all.
  init(
    _ name: String, _ releases: [Releases], cost: Int, _ change: Change, persons: Int, others: Int = 20_000,
    strata: Int = 1, seen: Releases? = nil, _ precision: Precision = .high
  ) {
    let steps = Int64(ValueScale.steps)
    var before = [Tally](repeating: Tally(), count: strata)
    for other in 0..<others { before[other % strata].add(place: Int64(other % 101) - 50) }
    var after = before
    for _ in 0..<persons {
      switch change {
      case .come: break
      case .cross: before[0].add(place: -steps)
      case .rise: before[0].add(place: 0)
      }
      after[strata - 1].add(place: steps)
    }
    testDescription = "\(name), \(precision)"
    self.precision = precision
    stated = (persons * persons * cost) * precision.loss
    parts = releases.map { Part(before, after, $0, seen: seen ?? $0, precision) }
  }

  /// The noise of a release; that of the product is `NoisyTally.noise`.
  typealias Noise = (Releases, Precision) -> DiscreteGaussian

  /// - Parameter noise: in place of the product's.
  func evidence(draws: Int, noise: Noise? = nil, using generator: inout some RandomNumberGenerator) -> LossEvidence {
    let apart = parts.reduce(0) { $0 + $1.apartSquared }.squareRoot()
    /// What is told, as one number: how much likelier it is afterwards, as long as the noise is what it is said to be. A
    /// refusal is less than any other.
    func outcome(isAfter: Bool) -> Double {
      var score = 0.0
      for part in parts {
        guard let told = part.told(isAfter, precision, noise, using: &generator) else { return -.infinity }
        score += part.score(told)
      }
      return score / apart
    }
    // Whether there is an answer, and around the middle between the two, where they are told apart best.
    let cuts = [-.greatestFiniteMagnitude] + [-1, -0.5, 0, 0.5, 1].map { apart / 2 + $0 }
    let before = (0..<draws).map { _ in outcome(isAfter: false) }
    return LossEvidence(here: before, there: (0..<draws).map { _ in outcome(isAfter: true) }, cuts: cuts)
  }
}

/// Tallies of the two databases, one for each stratum, and what is released of them.
private struct Part: Sendable {
  private let before: [Tally]
  private let after: [Tally]
  private let releases: Releases
  /// Of each number that is released: what it is before, what is added to it as far as it is looked at, and the deviation of
  /// its noise.
  private let numbers: [(before: Int64, change: Double, deviation: Double)]

  init(_ before: [Tally], _ after: [Tally], _ releases: Releases, seen: Releases, _ precision: Precision) {
    self.before = before
    self.after = after
    self.releases = releases
    numbers = Self.each(releases).flatMap { release in
      zip(Self.numbers(before, release), Self.numbers(after, release)).map {
        ($0, seen.contains(release) ? Double($1 - $0) : 0, NoisyTally.deviation(release, precision))
      }
    }
  }

  private static func each(_ releases: Releases) -> [Releases] {
    [.count, .sum, .squares, .histogram, .strata, .cells].filter { releases.contains($0) }
  }

  private static func numbers(_ strata: [Tally], _ release: Releases) -> [Int64] {
    switch release {
    case .count: [everybody(strata).persons]
    case .sum: [everybody(strata).sum]
    case .squares: [everybody(strata).squares]
    case .histogram: everybody(strata).histogram
    case .strata: strata.map(\.persons)
    default: strata.flatMap(\.histogram)
    }
  }

  private static func everybody(_ strata: [Tally]) -> Tally { strata.reduce(into: Tally()) { $0.add($1) } }

  /// The numbers with noise; nil where the group is too small.
  func told(
    _ isAfter: Bool, _ precision: Precision, _ noise: Mechanism.Noise?,
    using generator: inout some RandomNumberGenerator
  ) -> [Int64]? {
    let (strata, threshold) = (isAfter ? after : before, GroupThreshold(personsMin: 1_000, precision: precision))
    guard let noise else {
      if releases.contains(.cells) {
        return NoisyTable(strata, precision, threshold, using: &generator).map {
          [$0.persons] + $0.bins + ($0.strata ?? []) + ($0.cells ?? []).joined()
        }
      }
      return NoisyTally(Self.everybody(strata), releases, precision, threshold, using: &generator).map {
        [$0.persons] + [$0.sum, $0.squares].compactMap { $0 } + ($0.histogram ?? [])
      }
    }
    let told = Self.each(releases).flatMap { release in
      let noise = noise(release, precision)
      return Self.numbers(strata, release).map { $0 + noise.sample(using: &generator) }
    }
    return threshold.admits(noisyCount: told[0]) ? told : nil
  }

  /// How far the two databases are apart, in deviations of the noise.
  var apartSquared: Double { numbers.reduce(0) { $0 + $1.change * $1.change / ($1.deviation * $1.deviation) } }

  /// Of Gaussians the logarithm of how much likelier they are is a sum over their numbers.
  func score(_ told: [Int64]) -> Double {
    zip(told, numbers).reduce(0) { $0 + Double($1.0 - $1.1.before) * $1.1.change / ($1.1.deviation * $1.1.deviation) }
  }
}
