/// A number as JSON writes it: exactly what was written, whatever type it is for.
struct JSONNumber {
  private let start: UnsafePointer<UInt8>
  /// How many bytes it takes.
  let length: Int
  private let isNegative: Bool
  /// Its digits as far as they fit into 64 bits: more than 10^18 where there are others.
  private let digits: UInt64
  /// Whether digits that did not fit are other than 0.
  private let hasMoreDigits: Bool
  /// The power of ten of the last one of `digits`.
  private let exponent: Int

  /// The number at the beginning of a text; nil if there is none.
  init?(_ start: UnsafePointer<UInt8>, _ count: Int) {
    var index = 0
    @inline(__always) func digit() -> UInt64? {
      guard index < count, start[index] &- UInt8(ascii: "0") < 10 else { return nil }
      return UInt64(start[index] &- UInt8(ascii: "0"))
    }
    @inline(__always) func take(_ character: Unicode.Scalar) -> Bool {
      guard index < count, start[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }
    isNegative = take("-")
    var digits: UInt64 = 0
    var exponent = 0
    var isFull = false
    var hasMoreDigits = false
    @inline(__always) func add(_ next: UInt64) -> Bool {
      if !isFull {
        let (tenfold, isTooMuch) = digits.multipliedReportingOverflow(by: 10)
        let (sum, isMore) = tenfold.addingReportingOverflow(next)
        if !isTooMuch && !isMore {
          digits = sum
          return true
        }
        isFull = true
      }
      if next != 0 { hasMoreDigits = true }
      return false
    }
    guard let first = digit() else { return nil }
    index += 1
    digits = first
    if first != 0 {
      while let next = digit() {
        index += 1
        if !add(next) { exponent += 1 }
      }
    }
    if take(".") {
      guard digit() != nil else { return nil }
      while let next = digit() {
        index += 1
        if add(next) { exponent -= 1 }
      }
    }
    if index < count, start[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      let isBelow = take("-")
      if !isBelow { _ = take("+") }
      guard digit() != nil else { return nil }
      var power = 0
      while let next = digit() {
        index += 1
        // More than any number needs; the digits before it can't be so many.
        if power < 1 << 40 { power = power * 10 + Int(next) }
      }
      exponent += isBelow ? -power : power
    }
    self.start = start
    length = index
    self.digits = digits
    self.hasMoreDigits = hasMoreDigits
    self.exponent = exponent
  }

  /// The number that makes up the whole of a text.
  init?(whole text: UnsafeRawBufferPointer) {
    guard let base = text.baseAddress, let number = JSONNumber(base.assumingMemoryBound(to: UInt8.self), text.count),
      number.length == text.count
    else { return nil }
    self = number
  }

  /// Why a number is none of the type that is wanted.
  enum Misfit: Error { case notWhole, outOfRange }

  /// Its magnitude if it is whole, as 1.0 and 1e3 are.
  private func wholeMagnitude() throws(Misfit) -> UInt64 {
    if digits == 0 { return 0 }
    var value = digits
    var power = exponent
    while power < 0 {
      let (tenth, rest) = value.quotientAndRemainder(dividingBy: 10)
      guard rest == 0 else { throw .notWhole }
      value = tenth
      power += 1
    }
    // Digits that did not fit stand below the last one, and make it too large or not whole.
    guard !hasMoreDigits else { throw exponent < 0 ? .notWhole : .outOfRange }
    while power > 0 {
      let (tenfold, isTooMuch) = value.multipliedReportingOverflow(by: 10)
      guard !isTooMuch else { throw .outOfRange }
      value = tenfold
      power -= 1
    }
    return value
  }

  @inline(__always)
  func signed(in range: ClosedRange<Int64>) throws(Misfit) -> Int64 {
    let magnitude = try wholeMagnitude()
    let value: Int64
    if isNegative {
      guard magnitude <= UInt64(Int64.max) + 1 else { throw .outOfRange }
      value = Int64(truncatingIfNeeded: 0 &- magnitude)
    } else {
      guard magnitude <= UInt64(Int64.max) else { throw .outOfRange }
      value = Int64(magnitude)
    }
    guard range.contains(value) else { throw .outOfRange }
    return value
  }

  @inline(__always)
  func unsigned(upTo limit: UInt64) throws(Misfit) -> UInt64 {
    let magnitude = try wholeMagnitude()
    guard magnitude <= limit, !isNegative || magnitude == 0 else { throw .outOfRange }
    return magnitude
  }

  /// The nearest double.
  @inline(__always)
  func double() throws(Misfit) -> Double {
    // Exact integers and exact powers of ten: one operation, rounded once (Clinger, 1990).
    if digits <= 1 << 53, -22...22 ~= exponent {
      let magnitude =
        exponent < 0 ? Double(digits) / Self.powersOfTen(-exponent) : Double(digits) * Self.powersOfTen(exponent)
      return isNegative ? -magnitude : magnitude
    }
    guard let value = Double(text), value.isFinite else { throw .outOfRange }
    return value
  }

  /// The nearest float: not that of the nearest double.
  func float() throws(Misfit) -> Float {
    if digits <= 1 << 24, -10...10 ~= exponent {
      // Exact in 24 bits of mantissa up to 10^10.
      let power = Float(Self.powersOfTen(abs(exponent)))
      let magnitude = exponent < 0 ? Float(digits) / power : Float(digits) * power
      return isNegative ? -magnitude : magnitude
    }
    guard let value = Float(text), value.isFinite else { throw .outOfRange }
    return value
  }

  private var text: String { String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self) }

  @inline(__always)
  private static func powersOfTen(_ exponent: Int) -> Double {
    // By squares of exact numbers: every product up to 10^22 is exact.
    var result = 1.0
    var base = 10.0
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 { result *= base }
      base *= base
      rest >>= 1
    }
    return result
  }
}
