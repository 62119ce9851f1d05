import Foundation
import Testing

@testable import GroupsRules

@Suite("B-R.D6: what answers cost")
struct PrivacyLossTests {
  @Test func lossesAreThoseOfTheGaussianMechanism() {
    #expect(Precision.high.loss.billionths == 1_250_000)
    #expect(Precision.medium.loss.billionths == 200_000)
    #expect(Precision.low.loss.billionths == 2_000)
    // Rounded up: a sum of rounded losses is never too small.
    #expect(PrivacyLoss.gaussian(multiplier: 3).billionths == 55_555_556)
    #expect((3 * Precision.high.loss + Precision.low.loss).billionths == 3_752_000)
  }

  @Test func epsilonIsThatOfBunAndSteinke() {
    #expect(abs(PrivacyLoss(billionths: 20_000_000).epsilon - (0.02 + 2 * (0.02 * log(1e10)).squareRoot())) < 1e-12)
    #expect(PrivacyLoss.none.epsilon == 0)
  }

  /// Rényi's divergence of order α between the answers about two neighbours, from their probabilities: α · ρ at most.
  @Test(
    "The noise keeps what it promises, for whatever one person can change",
    arguments: [Releases.count, .sum, .histogram, .strata, .cells])
  func divergence(_ release: Releases) {
    for precision in [Precision.high, .medium] {
      let noise = NoisyTally.noise(release, precision)
      // The whole change in one number: no share of it among several is told apart better.
      let change = Double(NoisyTally.sensitivitySquared(release)).squareRoot()
      let deviation = Double(noise.variance).squareRoot()
      let reach = Int(deviation * 12)
      let weight = { (x: Double) in exp(-x * x / (2 * Double(noise.variance))) }
      for order in [1.5, 2, 10, 100] {
        var (sum, total, totalOther) = (0.0, 0.0, 0.0)
        for number in -reach...reach {
          let (p, q) = (weight(Double(number)), weight(Double(number) - change.rounded()))
          total += p
          totalOther += q
          if p > 0, q > 0 { sum += exp(order * log(p) - (order - 1) * log(q)) }
        }
        let divergence = log(sum / (exp(order * log(total) - (order - 1) * log(totalOther)))) / (order - 1)
        #expect(divergence <= order * precision.loss.rho * 1.000_001)
      }
    }
  }

  @Test("Nobody changes a release by more than its noise is made for")
  func sensitivity() {
    let steps = Int64(ValueScale.steps)
    func square(_ a: Tally, _ b: Tally, _ numbers: (Tally) -> [Int64]) -> Int64 {
      zip(numbers(a), numbers(b)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let numbers: [(Releases, (Tally) -> [Int64])] = [
      (.count, { [$0.persons] }), (.sum, { [$0.sum] }), (.squares, { [$0.squares] }), (.histogram, { $0.histogram }),
    ]
    // A person who is not there, and one at each of some places; the ends and beyond them.
    let tallies = [nil, -steps - 5, -steps, -37, -1, 0, 1, 64, steps, steps + 1_000].map { place in
      var tally = Tally()
      for other in [-80, 3, 99] as [Int64] { tally.add(place: other) }
      if let place { tally.add(place: place) }
      return tally
    }
    for (release, of) in numbers {
      let changes = tallies.flatMap { a in tallies.map { square(a, $0, of) } }
      #expect(changes.max()! == NoisyTally.sensitivitySquared(release))
    }
  }
}
