/// Doubles as integers: a number with at most `digits` decimals is `integer / 10^digits`, where both are exact doubles,
/// so the division gives back the very double that the decimal text of the number parses to.
struct DecimalScale {
  static let digitsMax = 7

  let digits: Int
  /// 10^digits.
  let factor: Double

  init(digits: Int) {
    self.digits = digits
    factor = Self.factors[digits]
  }

  private static let factors: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7]

  /// Integers beyond this are not tried: below it, adding `rounder` rounds a double to an integer in its low bits.
  private static let magnitudeMax = 0x1p51
  private static let rounder = 0x1.8p52

  /// The integer that stands for `value`; exact only if `value(of:)` gives `value` back.
  @inline(__always)
  func integer(of value: Double) -> Int64 {
    let scaled = value * factor
    guard scaled.magnitude < Self.magnitudeMax else { return 0 }
    return Int64(bitPattern: (scaled + Self.rounder).bitPattern &- Self.rounder.bitPattern)
  }

  @inline(__always)
  func value(of integer: Int64) -> Double { Double(integer) / factor }

  /// Whether the integer of `value` gives the same bits back: not so for -0, NaN, infinities and longer decimals.
  @inline(__always)
  func isExact(_ value: Double) -> Bool {
    self.value(of: integer(of: value)).bitPattern == value.bitPattern
  }

  /// The smallest scale that is exact for every number in `column` but the NaNs; nil if there is none.
  ///
  /// A number exact at one scale is exact at the greater ones too as long as its integer stays in range, which writing
  /// the column checks.
  static func smallest(for column: UnsafeBufferPointer<Double>) -> DecimalScale? {
    var scale = DecimalScale(digits: 0)
    for value in column {
      while !scale.isExact(value), !value.isNaN {
        guard scale.digits < digitsMax else { return nil }
        scale = DecimalScale(digits: scale.digits + 1)
      }
    }
    return scale
  }
}
