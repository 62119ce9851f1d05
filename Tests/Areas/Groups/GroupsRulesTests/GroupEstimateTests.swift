import TestSupport
import Testing

@testable import GroupsRules

@Suite("A-R9: what answers say")
struct GroupEstimateTests {
  private let scale = ValueScale.known["heart_rate"]!

  /// Hearts of 70 beats a minute, 10 more or less: sums of uniform numbers are nearly normal.
  private func hearts(_ count: Int, _ generator: inout SeededGenerator) -> [Double] {
    (0..<count).map { _ in
      70 + 10 * ((0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) })
    }
  }

  private func place(of value: Double) -> Int64 { ValueScale.place(ofSteps: scale.step(of: value), count: 1) }

  private func tally(_ values: [Double]) -> Tally {
    values.reduce(into: Tally()) { $0.add(place: place(of: $1)) }
  }

  @Test func of10000PersonsTheMeanIsRightToABeatIn95Of100Answers() {
    var generator = SeededGenerator(seed: 1)
    let values = hearts(10_000, &generator)
    let (tally, mean) = (tally(values), values.reduce(0, +) / 10_000)
    let least = GroupThreshold(personsMin: 1_000, precision: .medium)
    let runs = 1_000
    let right = (0..<runs).count { _ in
      let noisy = NoisyTally(tally, [.count, .sum], .medium, least, using: &generator)!
      return abs(GroupEstimate(noisy, scale).mean!.value - mean) <= 1
    }
    #expect(right >= runs * 95 / 100)
  }

  /// Each with a mean pulse of 70, and what the error of it rounds to.
  @Test(
    "docs/groups.md says how exact a mean is",
    arguments: [
      (1_200, Precision.high, 1.5), (10_000, .high, 0.18), (10_000, .medium, 0.45), (10_000, .low, 4.5),
      (100_000, .high, 0.02), (100_000, .medium, 0.05), (100_000, .low, 0.45),
    ])
  func errors(_ persons: Int64, _ precision: Precision, _ said: Double) throws {
    let sum = persons * place(of: 70)
    let tally = NoisyTally(precision: precision, persons: persons, sum: sum, squares: nil, histogram: nil)
    let estimate = GroupEstimate(tally, scale)
    #expect(abs(try #require(estimate.mean).error / said - 1) < 0.1)
    #expect(estimate.persons.error == Double(precision.rawValue))
  }

  @Test(arguments: [(Precision.high, 2_000), (.medium, 10_000), (.low, 100_000)])
  func errorsAreAsLargeAsTheySay(_ precision: Precision, _ count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let values = hearts(count, &generator)
    let exact = tally(values)
    // Many numbers of the same answer, each against what it would be without noise.
    let quiet = GroupEstimate(
      NoisyTally(
        precision: precision, persons: exact.persons, sum: exact.sum, squares: exact.squares, histogram: exact.histogram
      ),
      scale)
    var off: [String: [Double]] = [:]
    for _ in 0..<300 {
      let noisy = NoisyTally(
        exact, [.count, .sum, .squares, .histogram], precision,
        GroupThreshold(personsMin: 1_000, precision: precision), using: &generator)!
      let estimate = GroupEstimate(noisy, scale)
      func note(_ name: String, _ number: Estimate?, _ truth: Estimate?) {
        off[name, default: []].append((number!.value - truth!.value) / number!.error)
      }
      note("persons", estimate.persons, quiet.persons)
      note("mean", estimate.mean, quiet.mean)
      note("standard deviation", estimate.standardDeviation, quiet.standardDeviation)
      note("a bin", estimate.histogram![6], quiet.histogram![6])
      note("median", estimate.quantile(0.5), quiet.quantile(0.5))
    }
    for (name, errors) in off {
      let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
      // The median's is a bound; all others are what they say, within what 300 runs can tell.
      #expect(deviation < 1.2 && (name == "median" || deviation > 0.8), "\(name): \(deviation)")
    }
  }

  @Test func whateverIsOffTheScaleCountsAsItsEnd() {
    #expect(place(of: -1e300) == -100 && place(of: 40) == -100 && place(of: 1e300) == 100)
    #expect(place(of: 85) == 0 && scale.value(atPlace: 0) == 85)
    #expect(scale.value(atPlace: -1e9) == 40 && scale.value(atPlace: 100) == 130)
  }

  @Test func quantilesFollowTheHistogram() {
    let even = NoisyTally(
      precision: .high, persons: 2_000, sum: nil, squares: nil, histogram: [Int64](repeating: 100, count: 20))
    let estimate = GroupEstimate(even, scale)
    #expect(abs(estimate.quantile(0.5)!.value - 85) < 1e-9 && abs(estimate.quantile(0.1)!.value - 49) < 1e-9)
    #expect(estimate.edges.first == 40 && estimate.edges.last == 130 && estimate.edges.count == 21)
    // Noise alone: no bin is below zero, and nothing to divide by is no answer.
    let nothing = NoisyTally(
      precision: .high, persons: 2_000, sum: nil, squares: nil, histogram: [Int64](repeating: -3, count: 20))
    #expect(GroupEstimate(nothing, scale).quantile(0.5) == nil)
    #expect(GroupEstimate(nothing, scale).histogram!.allSatisfy { $0.value == 0 })
  }

  @Test func statisticsCostWhatTheyAreMadeOf() {
    #expect(Releases(for: []).cost(buckets: 1) == 1)
    #expect(Releases(for: [.mean]).cost(buckets: 1) == 2)
    #expect(Releases(for: [.mean, .standardDeviation]).cost(buckets: 1) == 3)
    #expect(Releases(for: [.histogram, .quantiles]).cost(buckets: 1) == 2)
    #expect(Releases(for: Set(Statistic.allCases)).cost(buckets: 7) == 7 * 4 + 48)
    #expect(Releases(for: [.hourProfile]).cost(buckets: 1, hours: HourSlot(from: 22, to: 6)!.count) == 1 + 2 * 8)
  }

  @Test func whatIsNotReleasedIsNotThere() throws {
    var generator = SeededGenerator(seed: 3)
    let hearts = tally(hearts(2_000, &generator))
    let least = GroupThreshold(personsMin: 1_000, precision: .high)
    let noisy = try #require(NoisyTally(hearts, .count, .high, least, using: &generator))
    #expect(noisy.sum == nil && noisy.squares == nil && noisy.histogram == nil)
    let estimate = GroupEstimate(noisy, scale)
    #expect(estimate.mean == nil && estimate.standardDeviation == nil && estimate.quantile(0.5) == nil)
  }

  @Test("A-R10: of too small a group nothing is drawn but the count")
  func tooSmall() throws {
    let least = GroupThreshold(personsMin: 1_000, precision: .high)
    var (generator, other) = (SeededGenerator(seed: 3), SeededGenerator(seed: 3))
    var source = SeededGenerator(seed: 4)
    #expect(NoisyTally(tally(hearts(900, &source)), [.count, .sum], .high, least, using: &generator) == nil)
    _ = NoisyTally.noise(.count, .high).sample(using: &other)
    #expect(generator.next() == other.next())
  }
}
