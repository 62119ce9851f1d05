/// Division by a number known to divide: one multiplication with the inverse modulo 2^64 instead of a division.
/// The same product tells whether the number divides at all (H. S. Warren, Hacker's Delight, 2nd ed., 10-17).
struct ExactDivisor {
  let value: UInt64
  private let inverse: UInt64
  private let shift: UInt64
  private let quotientMax: UInt64

  /// - Parameter value: positive.
  init(_ value: UInt64) {
    self.value = value
    shift = UInt64(value.trailingZeroBitCount)
    quotientMax = .max / value
    let odd = value >> shift
    // Newton's iteration doubles the correct bits each time: 5, 10, 20, 40, 80.
    var inverse = (odd &* 3) ^ 2
    for _ in 0..<4 { inverse = inverse &* (2 &- odd &* inverse) }
    self.inverse = inverse
  }

  /// The quotient, if `value` divides `dividend`; otherwise a number above `UInt64.max / value`.
  @inline(__always)
  func quotient(_ dividend: UInt64) -> UInt64 {
    let product = dividend &* inverse
    return (product &>> shift) | (product &<< ((64 &- shift) & 63))
  }

  @inline(__always)
  func divides(_ dividend: UInt64) -> Bool { quotient(dividend) <= quotientMax }

  /// The greatest common divisor of all `column[i] - minimum`, 1 if they are all zero.
  static func common(of column: UnsafeBufferPointer<Int64>, minimum: Int64) -> ExactDivisor {
    var divisor: ExactDivisor?
    for entry in column {
      let difference = UInt64(bitPattern: entry &- minimum)
      if difference == 0 { continue }
      guard let known = divisor else {
        divisor = ExactDivisor(difference)
        continue
      }
      if known.divides(difference) { continue }
      divisor = ExactDivisor(greatestCommonDivisor(known.value, difference))
      if divisor?.value == 1 { break }
    }
    return divisor ?? ExactDivisor(1)
  }

  private static func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
