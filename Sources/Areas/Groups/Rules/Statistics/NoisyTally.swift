/// A tally with noise: what may leave.
package struct NoisyTally: Sendable, Hashable {
  package let precision: Precision
  package let persons: Int64
  /// Where they are released.
  package let sum: Int64?
  package let squares: Int64?
  package let histogram: [Int64]?

  /// Draws the noise: first that of the count, and of the rest only where the group is large enough.
  /// - Parameters:
  ///   - releases: what is released; the count always is.
  ///   - generator: a cryptographic one.
  /// - Returns: nil where the group is too small.
  package init?(
    _ tally: Tally, _ releases: Releases, _ precision: Precision, _ threshold: GroupThreshold,
    using generator: inout some RandomNumberGenerator
  ) {
    func noisy(_ number: Int64, _ release: Releases) -> Int64 {
      number + Self.noise(release, precision).sample(using: &generator)
    }
    self.precision = precision
    persons = noisy(tally.persons, .count)
    guard threshold.admits(noisyCount: persons) else { return nil }
    sum = releases.contains(.sum) ? noisy(tally.sum, .sum) : nil
    squares = releases.contains(.squares) ? noisy(tally.squares, .squares) : nil
    histogram = releases.contains(.histogram) ? tally.histogram.map { noisy($0, .histogram) } : nil
  }

  /// Of numbers that are given.
  init(precision: Precision, persons: Int64, sum: Int64?, squares: Int64?, histogram: [Int64]?) {
    self.precision = precision
    self.persons = persons
    self.sum = sum
    self.squares = squares
    self.histogram = histogram
  }

  /// The square of the most that one person can change of a release, by coming, leaving, or sending something else: the
  /// Euclidean length, where a release is several numbers.
  static func sensitivitySquared(_ release: Releases) -> Int64 {
    let steps = Int64(ValueScale.steps)
    return switch release {
    case .count: 1
    // From one end of the scale to the other.
    case .sum: (2 * steps) * (2 * steps)
    case .squares: steps * steps * steps * steps
    // Out of one bin, stratum or cell and into another.
    case .histogram, .strata, .cells: 2
    default: preconditionFailure("not one release")
    }
  }

  static func noise(_ release: Releases, _ precision: Precision) -> DiscreteGaussian {
    DiscreteGaussian(variance: sensitivitySquared(release) * precision.multiplier * precision.multiplier)
  }

  /// The standard deviation of a release's noise.
  static func deviation(_ release: Releases, _ precision: Precision) -> Double {
    Double(sensitivitySquared(release)).squareRoot() * Double(precision.multiplier)
  }
}
