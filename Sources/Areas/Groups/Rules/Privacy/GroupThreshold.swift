/// Whether a group is large enough to be told about, decided on its noisy count.
///
/// The count is released with the answer and costs nothing more. A refusal tells as little about one person as the count
/// would: it follows from it.
package struct GroupThreshold: Sendable, Hashable {
  /// Fewer distinct persons are never asked for.
  package static let personsMin = 1_000
  /// Standard deviations of the noise. A Gaussian is above them with probability 9.9 · 10⁻¹⁰, and the discrete one with no
  /// more (Canonne, Kamath and Steinke, proposition 25): so often, at most, is a group of one too few answered.
  package static let marginDeviations = 6

  /// Least noisy count of an answer.
  package let count: Int64

  /// - Parameter personsMin: how many persons whoever asks wants at least; never fewer than `personsMin`.
  package init(personsMin: Int, precision: Precision) {
    // From a count of one too few, so that it is as rare there as the margin says.
    count = Int64(max(personsMin, Self.personsMin)) - 1 + Self.margin(precision)
  }

  /// How many persons more than asked for there have to be, at the noise of a precision.
  package static func margin(_ precision: Precision) -> Int64 { Int64(marginDeviations) * precision.multiplier }

  package func admits(noisyCount: Int64) -> Bool { noisyCount > count }
}
