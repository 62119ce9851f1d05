/// Years of age in steps of five, the last one open: questions that differ by less are the same question.
package struct AgeBands: Sendable, Hashable {
  /// Of a band.
  package static let years = 5
  /// Where the last band begins: so old are few.
  package static let lastBegins = 90

  /// By their number: band 4 is of those from 20 to 24.
  package let numbers: ClosedRange<Int>

  /// The bands that touch an interval of ages; nil is every age.
  /// - Parameters:
  ///   - from: the least age, included.
  ///   - to: the greatest age, included.
  /// - Returns: nil if the interval is empty or no interval of ages.
  package init?(from: Int?, to: Int?) {
    let (low, high) = (from ?? Self.adult, to ?? Self.greatest)
    guard 0...Self.greatest ~= low, 0...Self.greatest ~= high, low <= high, high >= Self.adult else { return nil }
    numbers = Self.number(of: max(low, Self.adult))...Self.number(of: high)
  }

  /// Whoever is younger counts in no group, as nobody finds them by name (A-R8).
  package static let adult = 18
  package static let greatest = 150

  /// The band of an age.
  package static func number(of age: Int) -> Int { min(age, lastBegins) / years }

  /// Whether a person of the age counts.
  package func contains(age: Int) -> Bool { age >= Self.adult && numbers.contains(Self.number(of: age)) }

  /// The least age that counts.
  package var from: Int { max(Self.adult, numbers.lowerBound * Self.years) }
  /// The greatest age that counts; nil if there is none.
  package var to: Int? {
    numbers.upperBound == Self.lastBegins / Self.years ? nil : (numbers.upperBound + 1) * Self.years - 1
  }
}
