/// Kilograms of body weight in steps of ten, the first and the last one open.
package struct WeightBands: Sendable, Hashable {
  /// Of a band.
  package static let kilograms = 10
  /// Where the first band ends and the last one begins: so light or heavy are few.
  package static let firstEnds = 50
  package static let lastBegins = 120

  /// By their number: band 0 is below 50 kg, band 1 from 50 to 60.
  package let numbers: ClosedRange<Int>

  /// The bands that touch an interval of weights; nil is every weight.
  /// - Parameters:
  ///   - from: the least weight in kilograms, included.
  ///   - to: the greatest one, not included.
  /// - Returns: nil if the interval is empty or no interval of weights.
  package init?(from: Double?, to: Double?) {
    let (low, high) = (from ?? 0, to ?? Self.greatest)
    guard low.isFinite, high.isFinite, low >= 0, high <= Self.greatest, low < high else { return nil }
    numbers = Self.number(of: low)...Self.number(of: high.nextDown)
  }

  package static let greatest = 700.0

  /// The band of a weight.
  package static func number(of kilograms: Double) -> Int {
    let steps = Int((min(kilograms, greatest) - Double(firstEnds)) / Double(Self.kilograms) + 1)
    return kilograms < Double(firstEnds) ? 0 : min(steps, last)
  }

  private static let last = (lastBegins - firstEnds) / kilograms + 1

  package func contains(kilograms: Double) -> Bool { numbers.contains(Self.number(of: kilograms)) }

  /// The least weight that counts; nil if there is none.
  package var from: Int? {
    numbers.lowerBound == 0 ? nil : Self.firstEnds + (numbers.lowerBound - 1) * Self.kilograms
  }
  /// The weight from which on nobody counts; nil if there is none.
  package var to: Int? {
    numbers.upperBound == Self.last ? nil : Self.firstEnds + numbers.upperBound * Self.kilograms
  }
}
