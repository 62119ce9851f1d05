/// The values of a kind that answers tell apart: an interval, in steps. Whatever is outside counts as its end, so that no
/// person can change an answer by more than the interval is wide.
package struct ValueScale: Sendable, Hashable {
  /// In the unit of the kind.
  package let lower: Double
  package let upper: Double

  /// In which the interval is cut, for every kind alike: the noise of squares has to fit.
  package static let steps = 100

  /// - Parameter upper: above `lower`.
  package init(_ lower: Double, _ upper: Double) {
    precondition(lower < upper, "an interval that is none")
    self.lower = lower
    self.upper = upper
  }

  /// The value at a place, between two of them too.
  package func value(atPlace place: Double) -> Double {
    let share = (place / Double(Self.steps) + 1) / 2
    return lower + min(max(share, 0), 1) * (upper - lower)
  }

  /// The value at which a bin of a histogram begins, or that is a share of the bin further; one division, so that 35.2 is
  /// not 35.199999999999996.
  package func edge(ofBin bin: Double) -> Double {
    let bins = Double(Tally.bins)
    return (lower * (2 * bins - 2 * bin) + upper * 2 * bin) / (2 * bins)
  }

  /// How much of a value a place is.
  package var perPlace: Double { (upper - lower) / Double(2 * Self.steps) }

  /// Of a kind that the product knows: where the means of nearly all persons are over hours and longer. Of steps, those of
  /// an hour with readings.
  package static let known: [String: ValueScale] = [
    "heart_rate": ValueScale(40, 130),
    "systolic_blood_pressure": ValueScale(80, 200),
    "diastolic_blood_pressure": ValueScale(40, 120),
    "blood_glucose": ValueScale(50, 300),
    "body_temperature": ValueScale(34, 42),
    "blood_oxygen": ValueScale(80, 100),
    "respiratory_rate": ValueScale(6, 40),
    "steps": ValueScale(0, 3_000),
    "weight": ValueScale(40, 160),
  ]

  /// Kinds whose readings are added up over an hour, where others' are averaged.
  package static let counted: Set<String> = ["steps"]
}
