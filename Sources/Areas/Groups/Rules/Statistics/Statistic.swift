/// What can be asked of a group beside the number of its persons.
package enum Statistic: Int, Sendable, CaseIterable {
  /// Of the persons' means.
  case mean = 1
  /// Of the persons' means.
  case standardDeviation = 2
  /// How many persons' means are in each of 20 bins.
  case histogram = 3
  /// Made of the histogram.
  case quantiles = 4
  /// The mean for each hour of the day, over all buckets.
  case hourProfile = 5
  /// Rows of made-up persons: of an export, and of nothing else.
  case records = 6
}

/// What is released of a kind: of each time bucket, but for the hours. Each has noise of its own, and costs the same.
package struct Releases: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let count = Releases(rawValue: 1)
  package static let sum = Releases(rawValue: 2)
  package static let squares = Releases(rawValue: 4)
  package static let histogram = Releases(rawValue: 8)
  /// A count and a sum for each hour of the day, over all buckets: a person may be in all of them.
  package static let hours = Releases(rawValue: 16)
  /// How many persons are in each stratum.
  package static let strata = Releases(rawValue: 32)
  /// The histogram of each stratum.
  package static let cells = Releases(rawValue: 64)

  /// What statistics are made of.
  /// - Parameter strata: how many strata the persons may be in.
  package init(for statistics: Set<Statistic>, strata: Int = 1) {
    self = .count
    for statistic in statistics {
      switch statistic {
      case .mean: insert(.sum)
      case .standardDeviation: formUnion([.sum, .squares])
      case .histogram, .quantiles: insert(.histogram)
      case .hourProfile: insert(.hours)
      case .records: formUnion(strata > 1 ? [.histogram, .strata, .cells] : .histogram)
      }
    }
  }

  /// How many noisy statistics these are, of a kind.
  /// - Parameter hours: of the day, that the question is about.
  package func cost(buckets: Int, hours: Int = CellRow.hours) -> Int {
    let plain: [Releases] = [.count, .sum, .squares, .histogram, .strata, .cells]
    return buckets * plain.count { contains($0) } + (contains(.hours) ? 2 * hours : 0)
  }
}
