import Foundation
import TestSupport
import Testing

@testable import GroupsRules

@Suite("B-R.D6: the noise of group answers")
struct DiscreteGaussianTests {
  /// The probabilities of -reach … reach, by their formula.
  static func probabilities(variance: Int64, reach: Int) -> [Double] {
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * Double(variance))) }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  @Test("Every number comes as often as the formula says", arguments: [1, 4, 30, 800] as [Int64])
  func frequencies(_ variance: Int64) {
    let reach = Int((Double(variance).squareRoot() * 6).rounded(.up))
    let expected = Self.probabilities(variance: variance, reach: reach)
    let noise = DiscreteGaussian(variance: variance)
    var generator = SeededGenerator(seed: UInt64(variance))
    let draws = 40_000
    var counts = [Int](repeating: 0, count: expected.count)
    for _ in 0..<draws {
      let number = Int(noise.sample(using: &generator))
      if abs(number) <= reach { counts[number + reach] += 1 }
    }
    // Pearson's statistic, over the numbers that come often enough for it; it has their count as its mean, and twice
    // that as its variance.
    let often = expected.indices.filter { expected[$0] * Double(draws) >= 10 }
    let statistic = often.reduce(0.0) { sum, index in
      let mean = expected[index] * Double(draws)
      return sum + (Double(counts[index]) - mean) * (Double(counts[index]) - mean) / mean
    }
    let freedom = Double(often.count - 1)
    #expect(statistic < freedom + 4.5 * (2 * freedom).squareRoot())
    #expect(counts.reduce(0, +) == draws, "beyond six deviations comes nothing in so few draws")
  }

  @Test("Of any size it has the mean 0 and its variance", arguments: [1, 1_000_000, 25_000_000_000_000] as [Int64])
  func moments(_ variance: Int64) {
    let noise = DiscreteGaussian(variance: variance)
    var generator = SeededGenerator(seed: 7)
    let draws = 10_000
    let numbers = (0..<draws).map { _ in Double(noise.sample(using: &generator)) }
    let deviation = Double(variance).squareRoot()
    let mean = numbers.reduce(0, +) / Double(draws)
    #expect(abs(mean) < 4.5 * deviation / Double(draws).squareRoot())
    let square = numbers.reduce(0) { $0 + $1 * $1 } / Double(draws) / Double(variance)
    // The variance of a square is twice the square of the variance.
    #expect(abs(square - 1) < 4.5 * (2 / Double(draws)).squareRoot())
  }

  @Test func itsTailIsNoLongerThanTheContinuousOnes() {
    for precision in Precision.allCases {
      let deviation = Int(precision.multiplier)
      let probabilities = Self.probabilities(variance: Int64(deviation * deviation), reach: 12 * deviation)
      let above = probabilities.suffix(12 * deviation - 6 * deviation).reduce(0, +)
      #expect(above <= 1e-9)
    }
  }
}
