/// How much noise a question asks for: more costs less, and serves larger groups.
///
/// One number decides it: how many times as large as the most that one person can change is the standard deviation of the
/// noise, for every statistic alike.
package enum Precision: Int, Sendable, CaseIterable {
  /// For groups of a little more than a thousand.
  case high = 20
  /// For groups of ten thousand.
  case medium = 50
  /// For groups of a hundred thousand and more.
  case low = 500

  package var multiplier: Int64 { Int64(rawValue) }

  /// Of one statistic of one kind and time bucket.
  package var loss: PrivacyLoss { .gaussian(multiplier: multiplier) }
}
