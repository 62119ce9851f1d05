/// What an answer costs the persons in it: the ρ of zero-concentrated differential privacy (Bun and Steinke, "Concentrated
/// Differential Privacy: Simplifications, Extensions, and Lower Bounds", 2016), in billionths.
///
/// Two data sets are neighbours if they differ in all that one person has ever sent: nothing of it, or something else. Losses
/// of several answers add up, also where each question is chosen after the answers before it, and spending may be stopped
/// at a bound that was set before (Feldman and Zrnic, "Individual Privacy Accounting via a Rényi Filter", 2021).
package struct PrivacyLoss: Sendable, Hashable, Comparable {
  /// Of ρ.
  package let billionths: Int64

  package init(billionths: Int64) {
    precondition(billionths >= 0, "a loss is never taken back")
    self.billionths = billionths
  }

  package static let none = PrivacyLoss(billionths: 0)

  /// Of a statistic with Gaussian noise whose standard deviation is so many times as large as what one person can
  /// change of it: ρ = 1 / (2 · multiplier²), rounded up.
  package static func gaussian(multiplier: Int64) -> PrivacyLoss {
    let denominator = 2 * multiplier * multiplier
    return PrivacyLoss(billionths: (1_000_000_000 + denominator - 1) / denominator)
  }

  /// ρ as a number.
  package var rho: Double { Double(billionths) / 1e9 }

  /// The ε of (ε, δ)-differential privacy that follows: ρ + 2 √(ρ · ln(1/δ)) (Bun and Steinke, proposition 1.3).
  package var epsilon: Double { rho + 2 * (rho * Self.logInverseDelta).squareRoot() }

  /// The δ that ε is told for, 10⁻¹⁰: one person in all that live.
  package static let delta = 1e-10
  /// ln(10¹⁰)
  private static let logInverseDelta = 23.025850929940457

  package static func + (left: PrivacyLoss, right: PrivacyLoss) -> PrivacyLoss {
    PrivacyLoss(billionths: left.billionths + right.billionths)
  }

  package static func * (count: Int, loss: PrivacyLoss) -> PrivacyLoss {
    PrivacyLoss(billionths: Int64(count) * loss.billionths)
  }

  package static func < (left: PrivacyLoss, right: PrivacyLoss) -> Bool { left.billionths < right.billionths }
}
