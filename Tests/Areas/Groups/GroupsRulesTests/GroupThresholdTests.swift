import Foundation
import Testing

@testable import GroupsRules

@Suite("A-R10, B-R.R5: at least 1,000 persons")
struct GroupThresholdTests {
  /// How likely an answer about so many persons is.
  private func chance(of persons: Int, _ threshold: GroupThreshold, _ precision: Precision) -> Double {
    let deviation = Int(precision.multiplier)
    let reach = 14 * deviation
    let probabilities = DiscreteGaussianTests.probabilities(variance: Int64(deviation * deviation), reach: reach)
    return probabilities.indices.filter { threshold.admits(noisyCount: Int64(persons + $0 - reach)) }
      .reduce(0) { $0 + probabilities[$1] }
  }

  @Test(arguments: Precision.allCases)
  func of999PersonsAnAnswerIsAsRareAsPromised(_ precision: Precision) {
    let threshold = GroupThreshold(personsMin: 1_000, precision: precision)
    #expect(chance(of: 999, threshold, precision) <= 1e-9)
    // And no rarer than it has to be.
    #expect(chance(of: 1_001 + Int(precision.multiplier) / 10, threshold, precision) > 1e-9)
  }

  @Test func aNoisyCountHasToBeGreaterThanTheThreshold() {
    let threshold = GroupThreshold(personsMin: 1_000, precision: .high)
    #expect(!threshold.admits(noisyCount: threshold.count) && threshold.admits(noisyCount: threshold.count + 1))
  }

  @Test func nobodyIsAskedForFewer() {
    #expect(GroupThreshold(personsMin: 1, precision: .high) == GroupThreshold(personsMin: 1_000, precision: .high))
    #expect(GroupThreshold(personsMin: 5_000, precision: .high).count == 4_999 + 120)
  }

  @Test func twelveHundredPersonsAreToldOfWithHighPrecision() {
    #expect(chance(of: 1_200, GroupThreshold(personsMin: 1_000, precision: .high), .high) > 0.999_9)
    #expect(chance(of: 1_001, GroupThreshold(personsMin: 1_000, precision: .high), .high) < 1e-8)
  }
}
