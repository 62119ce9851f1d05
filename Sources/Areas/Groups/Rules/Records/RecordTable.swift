/// How many rows there are of each stratum and bin: as many as persons, and none of them is a person's.
///
/// It follows from a noisy table. Nothing here looks at a person, so nothing here costs anything.
package struct RecordTable: Sendable, Hashable {
  /// By stratum, then bin: none is negative, and they add up to the noisy number of persons.
  package let counts: [[Int64]]
  /// How much of what the cells tell of values and ages, beyond how often each of them comes, is more than noise: 0 to 1.
  package let ageAssociation: Double
  /// The same of values and sexes.
  package let sexAssociation: Double
  /// Standard deviation of the noise in the rows of a bin, of all strata.
  package let binError: Double
  /// Standard deviation of the noise in the rows of a stratum.
  package let stratumError: Double

  /// How often rows and columns are fitted: they are right to a row long before.
  private static let fits = 100
  /// The least that is left of a cell, as a share of what it would be if values had nothing to do with strata: each cell
  /// can be fitted to its row and column.
  private static let leftOver = 0.01

  /// - Parameters:
  ///   - noisy: of a group that the threshold admits.
  ///   - strata: those of its table, by age and then by sex.
  package init(_ noisy: NoisyTable, _ strata: [Stratum]) {
    let persons = Double(noisy.persons)
    let deviation = NoisyTally.deviation(.cells, noisy.precision)
    let bins = noisy.bins.map { Double($0) }
    guard let alone = noisy.strata?.map({ Double($0) }), let cells = noisy.cells?.map({ $0.map { Double($0) } })
    else {
      counts = Self.rounded([Self.projected(bins, total: persons)])
      (ageAssociation, sexAssociation, binError) = (0, 0, deviation)
      stratumError = NoisyTally.deviation(.count, noisy.precision)
      return
    }
    // Each margin is known twice, by itself and as the sum of its cells: what has less noise weighs more.
    let (rows, columns) = (Double(alone.count), Double(bins.count))
    let ofStrata = zip(alone, cells).map { (columns * $0 + $1.sum) / (columns + 1) }
    let ofBins = bins.indices.map { bin in (rows * bins[bin] + cells.map { $0[bin] }.sum) / (rows + 1) }
    stratumError = deviation * (columns / (columns + 1)).squareRoot()
    binError = deviation * (rows / (rows + 1)).squareRoot()
    let margins = (
      strata: Self.projected(ofStrata, total: persons), bins: Self.projected(ofBins, total: persons)
    )
    let beyond = Self.beyond(cells, margins, total: persons)
    let sexes = Set(strata.map(\.sex)).count
    let (ofAges, ofSexes, ofBoth) = Self.parts(of: beyond, sexes: sexes)
    let (ages, variance) = (Double(alone.count / sexes), deviation * deviation)
    let free = (ages: (ages - 1) * (columns - 1), sexes: Double(sexes - 1) * (columns - 1))
    let kept = (
      ages: Self.kept(of: ofAges, noise: free.ages * variance),
      sexes: Self.kept(of: ofSexes, noise: free.sexes * variance),
      both: Self.kept(of: ofBoth, noise: free.ages * Double(sexes - 1) * variance)
    )
    (ageAssociation, sexAssociation) = (kept.ages, kept.sexes)
    let table = margins.strata.indices.map { stratum in
      margins.bins.indices.map { bin in
        let plain = margins.strata[stratum] * margins.bins[bin] / persons
        let more =
          kept.ages * ofAges[stratum][bin] + kept.sexes * ofSexes[stratum][bin] + kept.both * ofBoth[stratum][bin]
        return max(plain + more, Self.leftOver * plain)
      }
    }
    counts = Self.rounded(Self.fitted(table, margins))
  }

  /// What the cells are beyond what follows from their margins: of each row and column it adds up to nothing.
  private static func beyond(
    _ cells: [[Double]], _ margins: (strata: [Double], bins: [Double]), total: Double
  ) -> [[Double]] {
    let (rows, columns) = (Double(cells.count), Double(margins.bins.count))
    let ofRows = cells.map { $0.sum / columns }
    let ofColumns = margins.bins.indices.map { bin in cells.map { $0[bin] }.sum / rows }
    let mean = ofRows.sum / rows
    return cells.indices.map { row in
      margins.bins.indices.map { bin in
        cells[row][bin] - ofRows[row] - ofColumns[bin] + mean
          - (margins.strata[row] - total / rows) * (margins.bins[bin] - total / columns) / total
      }
    }
  }

  /// What of it goes with ages, with sexes, and with both only together; the three add up to it.
  private static func parts(
    of beyond: [[Double]], sexes: Int
  ) -> (ages: [[Double]], sexes: [[Double]], both: [[Double]]) {
    func means(_ same: (Int) -> Int) -> [[Double]] {
      beyond.indices.map { row in
        let alike = beyond.indices.filter { same($0) == same(row) }.map { beyond[$0] }
        return beyond[row].indices.map { bin in alike.map { $0[bin] }.sum / Double(alike.count) }
      }
    }
    let (ofAges, ofSexes) = (means { $0 / sexes }, means { $0 % sexes })
    let ofBoth = beyond.indices.map { row in
      beyond[row].indices.map { beyond[row][$0] - ofAges[row][$0] - ofSexes[row][$0] }
    }
    return (ofAges, ofSexes, ofBoth)
  }

  /// How much of a part is more than noise. Of noise alone, its squares add up to the variance for each degree of freedom
  /// (James and Stein, "Estimation with Quadratic Loss", 1961).
  /// - Parameter noise: what they would add up to; 0 for a part that is none.
  private static func kept(of part: [[Double]], noise: Double) -> Double {
    let squares = part.joined().map { $0 * $0 }.sum
    return noise > 0 && squares > noise ? 1 - noise / squares : 0
  }

  /// The nearest numbers that are not negative and add up to a total: as much is taken off each, but no more than it has
  /// (Duchi et al., "Efficient Projections onto the l1-Ball", 2008).
  /// - Parameter total: positive.
  static func projected(_ numbers: [Double], total: Double) -> [Double] {
    var (sum, taken) = (0.0, 0.0)
    for (index, number) in numbers.sorted(by: >).enumerated() {
      sum += number
      let each = (sum - total) / Double(index + 1)
      if number <= each { break }
      taken = each
    }
    return numbers.map { max($0 - taken, 0) }
  }

  /// The table with the margins that is nearest in proportions: iterative proportional fitting.
  private static func fitted(
    _ table: [[Double]], _ margins: (strata: [Double], bins: [Double])
  ) -> [[Double]] {
    var table = table
    for _ in 0..<fits {
      for row in table.indices {
        let sum = table[row].sum
        for bin in table[row].indices { table[row][bin] *= sum > 0 ? margins.strata[row] / sum : 0 }
      }
      for bin in margins.bins.indices {
        let sum = table.map { $0[bin] }.sum
        for row in table.indices { table[row][bin] *= sum > 0 ? margins.bins[bin] / sum : 0 }
      }
    }
    return table
  }

  /// Whole numbers: what is cut off one cell goes to the next, bin by bin, so that neither a bin nor the whole is off by more
  /// than one.
  static func rounded(_ table: [[Double]]) -> [[Int64]] {
    var counts = table.map { [Int64](repeating: 0, count: $0.count) }
    var (sum, told) = (0.0, Int64(0))
    for bin in (table.first ?? []).indices {
      for row in table.indices {
        sum += table[row][bin]
        let upToHere = Int64(sum.rounded())
        counts[row][bin] = upToHere - told
        told = upToHere
      }
    }
    return counts
  }
}

extension Sequence<Double> {
  fileprivate var sum: Double { reduce(0, +) }
}
