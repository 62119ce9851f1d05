/// How many persons have which value, by age and sex, with noise: what may leave of them.
///
/// These are three tables of the same persons: by bin of the scale, by stratum, and by both. A person is in exactly one cell
/// of each. Whoever comes or leaves changes one cell of a table by one, and who sends something else, or is of another
/// age or sex, two of them: no table changes by more than √2, which its noise is made for.
package struct NoisyTable: Sendable, Hashable {
  package let precision: Precision
  package let persons: Int64
  /// By bin.
  package let bins: [Int64]
  /// By stratum; nil where there is only one.
  package let strata: [Int64]?
  /// By stratum, then bin; nil where there is only one stratum.
  package let cells: [[Int64]]?

  /// Draws the noise: first that of the count, and of the rest only where the group is large enough.
  /// - Parameters:
  ///   - strata: what the persons of each add up to; nobody is in two.
  ///   - generator: a cryptographic one.
  /// - Returns: nil where the group is too small.
  package init?(
    _ strata: [Tally], _ precision: Precision, _ threshold: GroupThreshold,
    using generator: inout some RandomNumberGenerator
  ) {
    let everybody = strata.reduce(into: Tally()) { $0.add($1) }
    guard
      let noisy = NoisyTally(everybody, [.count, .histogram], precision, threshold, using: &generator),
      let bins = noisy.histogram
    else { return nil }
    self.precision = precision
    persons = noisy.persons
    self.bins = bins
    guard strata.count > 1 else {
      (self.strata, cells) = (nil, nil)
      return
    }
    self.strata = strata.map {
      $0.persons + NoisyTally.noise(.strata, precision).sample(using: &generator)
    }
    cells = strata.map { tally in
      tally.histogram.map { $0 + NoisyTally.noise(.cells, precision).sample(using: &generator) }
    }
  }

  /// How many persons there are.
  package var estimate: Estimate {
    Estimate(value: Double(persons), error: NoisyTally.deviation(.count, precision))
  }

  /// Of numbers that are given.
  init(precision: Precision, persons: Int64, bins: [Int64], strata: [Int64]?, cells: [[Int64]]?) {
    self.precision = precision
    self.persons = persons
    self.bins = bins
    self.strata = strata
    self.cells = cells
  }
}
