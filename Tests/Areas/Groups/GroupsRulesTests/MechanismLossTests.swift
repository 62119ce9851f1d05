import Foundation
import TestSupport
import Testing

@testable import GroupsRules

/// A sound mechanism would fail with one seed in a million.
@Suite("B-R.D6: what draws prove of the privacy loss")
struct MechanismLossTests {
  private static let whole: Releases = [.count, .sum, .squares, .histogram]
  private static let hours = [Releases](repeating: [.count, .sum], count: CellRow.hours)
  private static let costOfWhole = Releases(for: [.standardDeviation, .histogram]).cost(buckets: 1)
  private static let costOfProfile = Releases(for: [.hourProfile]).cost(buckets: 1)

  /// Each release, of as many persons as its noise is made for.
  private static let releases = Precision.allCases.flatMap { precision in
    let many = precision.rawValue
    // As many others that a half of the deviation is missing without the persons, and there is a half too much with them.
    let edge = Int(GroupThreshold(personsMin: 1_000, precision: precision).count) - many / 2
    return [
      Mechanism("a count", [.count], cost: 1, .come, persons: many, precision),
      Mechanism("a refusal", [.count], cost: 1, .come, persons: many, others: edge, precision),
      Mechanism("a sum", [[.count, .sum]], cost: 1, .cross, persons: many, precision),
      Mechanism("squares", [[.count, .squares]], cost: 1, .rise, persons: many, precision),
    ]
  }

  /// Answers that are made of several; who does what in one does it in all.
  private static let answers = [
    Mechanism("a histogram", [[.count, .histogram]], cost: 1, .cross, persons: 20),
    Mechanism("a mean at the edge of a refusal", [[.count, .sum]], cost: 2, .come, persons: 20, others: 1_109),
    Mechanism("all numbers, who comes", [whole], cost: costOfWhole, .come, persons: 20),
    Mechanism("all numbers, who changes", [whole], cost: costOfWhole, .cross, persons: 20),
    Mechanism("the hours of the day, who comes", [.count] + hours, cost: costOfProfile, .come, persons: 7),
    Mechanism("the hours of the day, who changes", [.count] + hours, cost: costOfProfile, .cross, persons: 7),
  ]

  /// The tables that rows are made of; who changes is of another age, sex and bin afterwards.
  private static let tables = Releases(for: [.records], strata: 14)
  private static let exports = [
    Mechanism(
      "the tables of rows, who comes", [tables], cost: tables.cost(buckets: 1), .come, persons: 20, strata: 14),
    Mechanism(
      "the tables of rows, who changes", [tables], cost: tables.cost(buckets: 1), .cross, persons: 20, strata: 14),
    Mechanism("the strata of rows", [tables], cost: 1, .cross, persons: 20, strata: 14, seen: .strata),
    Mechanism("the cells of rows", [tables], cost: 1, .cross, persons: 20, strata: 14, seen: .cells),
  ]

  /// Everything that can be asked for at once.
  private static let ofOnePerson = Mechanism(
    "all", [whole] + hours, cost: Releases(for: Set(Statistic.allCases)).cost(buckets: 1), .come, persons: 1)

  private static func expectWithin(_ stated: PrivacyLoss, _ evidence: LossEvidence) {
    #expect(evidence.rho <= stated.rho)
    for delta in [0.05, 0.01, 0.001] {
      #expect(evidence.epsilon(delta: delta) <= LossEvidence.gaussianEpsilon(rho: stated.rho, delta: delta))
    }
  }

  @Test("Of many persons together they prove no more than is stated", arguments: releases + answers + exports)
  func ofMany(_ mechanism: Mechanism) {
    var generator = SeededGenerator(seed: 11)
    Self.expectWithin(mechanism.stated, mechanism.evidence(draws: 2_000, using: &generator))
  }

  @Test("Half the noise would be caught", arguments: releases + answers + exports)
  func halfTheNoise(_ mechanism: Mechanism) {
    var generator = SeededGenerator(seed: 12)
    let evidence = mechanism.evidence(draws: 2_000, noise: { Self.less($0, $1, by: 2) }, using: &generator)
    #expect(evidence.rho > mechanism.stated.rho)
  }

  @Test("Of one person they prove no more than is stated, and a quarter of the noise would be caught")
  func ofOne() {
    var generator = SeededGenerator(seed: 13)
    Self.expectWithin(Self.ofOnePerson.stated, Self.ofOnePerson.evidence(draws: 1_000, using: &generator))
    let quarter = Self.ofOnePerson.evidence(draws: 1_000, noise: { Self.less($0, $1, by: 4) }, using: &generator)
    #expect(quarter.rho > Self.ofOnePerson.stated.rho)
  }

  private static func less(_ release: Releases, _ precision: Precision, by factor: Int64) -> DiscreteGaussian {
    DiscreteGaussian(variance: NoisyTally.noise(release, precision).variance / (factor * factor))
  }

  @Test("The ε that is told is above that of the noise")
  func toldEpsilon() {
    for number in [1, 2, 4, 8, 52, 1_000] {
      for precision in Precision.allCases {
        let loss = number * precision.loss
        let least = LossEvidence.gaussianEpsilon(rho: loss.rho, delta: PrivacyLoss.delta)
        #expect(least < loss.epsilon && loss.epsilon < 1.5 * least, "\(number) of \(precision)")
      }
    }
  }

  @Test("Bounds of shares are those of Clopper and Pearson")
  func bounds() {
    #expect(abs(LossEvidence.least(10, of: 100, rarity: 0.025) - 0.049_004_69) < 1e-7)
    #expect(abs(LossEvidence.most(10, of: 100, rarity: 0.025) - 0.176_222_60) < 1e-7)
    #expect(abs(LossEvidence.most(0, of: 100, rarity: 0.025) - (1 - pow(0.025, 0.01))) < 1e-9)
    #expect(LossEvidence.least(0, of: 100, rarity: 0.025) == 0 && LossEvidence.most(100, of: 100, rarity: 0.025) == 1)
    #expect(abs(LossEvidence.quantile(0.975) - 1.959_963_985) < 1e-8)
  }
}
