/// A number of an answer, with how far the noise may have moved it.
package struct Estimate: Sendable, Hashable {
  package let value: Double
  /// Standard deviation of the noise in it. Nothing about how the persons were chosen is in it.
  package let error: Double
}

/// What follows from a noisy tally: nothing here looks at a person, so nothing here costs anything.
package struct GroupEstimate: Sendable {
  private let tally: NoisyTally
  private let scale: ValueScale

  /// - Parameter tally: of a group that the threshold admits.
  package init(_ tally: NoisyTally, _ scale: ValueScale) {
    self.tally = tally
    self.scale = scale
  }

  /// How many persons there are.
  package var persons: Estimate {
    Estimate(value: Double(tally.persons), error: NoisyTally.deviation(.count, tally.precision))
  }

  /// Of the persons' means, in the unit of the kind.
  package var mean: Estimate? {
    place.map { Estimate(value: scale.value(atPlace: $0.value), error: $0.error * scale.perPlace) }
  }

  /// Of the persons' means, in the unit of the kind.
  package var standardDeviation: Estimate? {
    guard let place, let squares = tally.squares else { return nil }
    let count = Double(tally.persons)
    let meanSquare = Double(squares) / count
    let variance = max(meanSquare - place.value * place.value, 0)
    let errors = [
      NoisyTally.deviation(.squares, tally.precision) / count, 2 * place.value * place.error,
      meanSquare / count * NoisyTally.deviation(.count, tally.precision),
    ]
    let error = errors.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let deviation = variance.squareRoot()
    // The derivative of the root, which ends where the noise is as large as what it is in.
    return Estimate(
      value: deviation * scale.perPlace, error: error / (2 * max(deviation, error.squareRoot())) * scale.perPlace)
  }

  /// How many persons are in each bin, from the lower end of the scale to the upper one; never negative.
  package var histogram: [Estimate]? {
    tally.histogram.map { bins in
      let error = NoisyTally.deviation(.histogram, tally.precision)
      return bins.map { Estimate(value: Double(max($0, 0)), error: error) }
    }
  }

  /// The value below which a share of the persons are, linear within a bin.
  /// - Parameter share: 0 to 1.
  package func quantile(_ share: Double) -> Estimate? {
    guard let histogram else { return nil }
    let counts = histogram.map(\.value)
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    // The noise of the bins up to there, and of those behind.
    let error = (Double(counts.count) / 4).squareRoot() * histogram[0].error
    func value(_ persons: Double) -> Double {
      var left = min(max(persons, 0), total)
      for (bin, count) in counts.enumerated() where count > 0 {
        if left <= count { return scale.edge(ofBin: Double(bin) + left / count) }
        left -= count
      }
      return scale.upper
    }
    let here = value(share * total)
    return Estimate(value: here, error: (value(share * total + error) - value(share * total - error)) / 2)
  }

  /// The bins' lower ends, and the upper end of the last.
  package var edges: [Double] { (0...Tally.bins).map { scale.edge(ofBin: Double($0)) } }

  /// The mean place on the scale.
  private var place: Estimate? {
    tally.sum.map { sum in
      let count = Double(tally.persons)
      let mean = Double(sum) / count
      let errors = (
        NoisyTally.deviation(.sum, tally.precision) / count,
        mean / count * NoisyTally.deviation(.count, tally.precision)
      )
      return Estimate(value: mean, error: (errors.0 * errors.0 + errors.1 * errors.1).squareRoot())
    }
  }
}
