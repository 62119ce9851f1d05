// Numbers as JSON writes them, without strings in between.

extension GrowingBuffer<UInt8> {
  @inline(__always)
  mutating func appendDecimal(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDecimal(value.magnitude)
  }

  mutating func appendDecimal(_ value: UInt64) {
    if value < 10 { return append(UInt8(ascii: "0") + UInt8(value)) }
    let count = Self.digitCount(value)
    writeDigits(value, into: extend(by: count), count)
  }

  /// Exactly `count` digits, with zeros in front.
  @inline(__always)
  mutating func appendDigits(_ value: UInt64, _ count: Int) { writeDigits(value, into: extend(by: count), count) }

  /// The shortest decimal number that reads as the same double again; NaN and the infinities are text.
  mutating func appendJSON(_ value: Double) {
    let magnitude = value.magnitude
    // Most readings are whole or have a few decimals. Two decimal numbers of up to 15 digits are two doubles, so that
    // the first number of decimals that gives the same double is the shortest one.
    guard magnitude < 1e15 else { return appendLong(value) }
    if magnitude == magnitude.rounded(.towardZero) {
      return appendWhole(UInt64(magnitude), isNegative: value.sign == .minus)
    }
    guard magnitude >= 1e-5 else { return appendLong(value) }
    var scale = 10.0
    for decimals in 1...8 {
      let scaled = magnitude * scale
      guard scaled < 1e15 else { break }
      let whole = scaled.rounded()
      // The double and the product are each off by up to half a unit in the last place. The division of two exact
      // numbers is as exact as reading the decimal, and so decides.
      if abs(scaled - whole) <= scaled * 2.5e-16, whole / scale == magnitude {
        if value.sign == .minus { append(UInt8(ascii: "-")) }
        let (integer, fraction) = UInt64(whole).quotientAndRemainder(dividingBy: UInt64(scale))
        appendDecimal(integer)
        append(UInt8(ascii: "."))
        return appendDigits(fraction, decimals)
      }
      scale *= 10
    }
    appendLong(value)
  }

  /// The shortest decimal number that reads as the same float again; NaN and the infinities are text.
  mutating func appendJSON(_ value: Float) {
    let magnitude = value.magnitude
    if magnitude < 1e7, magnitude == magnitude.rounded(.towardZero) {
      appendWhole(UInt64(magnitude), isNegative: value.sign == .minus)
    } else if value.isFinite {
      appendShortest(value.description)
    } else {
      appendNonFinite(isNaN: value.isNaN, isNegative: value < 0)
    }
  }

  private mutating func appendWhole(_ magnitude: UInt64, isNegative: Bool) {
    // Many read -0 as an integer, and so without its sign.
    if isNegative && magnitude == 0 { return append("-0.0") }
    if isNegative { append(UInt8(ascii: "-")) }
    appendDecimal(magnitude)
  }

  private mutating func appendLong(_ value: Double) {
    if value.isFinite {
      appendShortest(value.description)
    } else {
      appendNonFinite(isNaN: value.isNaN, isNegative: value < 0)
    }
  }

  /// Swift writes the shortest digits, with a fraction of zero that JSON does not need.
  private mutating func appendShortest(_ description: String) {
    var text = description
    text.withUTF8 { utf8 in
      let end =
        utf8.count >= 2 && utf8[utf8.count - 2] == UInt8(ascii: ".") && utf8[utf8.count - 1] == UInt8(ascii: "0")
      append(utf8.baseAddress!, utf8.count - (end ? 2 : 0))
    }
  }

  private mutating func appendNonFinite(isNaN: Bool, isNegative: Bool) {
    append(isNaN ? "\"NaN\"" : isNegative ? "\"-Infinity\"" : "\"Infinity\"")
  }

  @inline(__always)
  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 10_000 {
      rest /= 10_000
      count += 4
    }
    return count + (rest >= 1_000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
  }

  @inline(__always)
  private func writeDigits(_ value: UInt64, into place: UnsafeMutablePointer<UInt8>, _ count: Int) {
    var rest = value
    var index = count
    while index > 0 {
      index -= 1
      let tenth = rest / 10
      place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest - tenth * 10)
      rest = tenth
    }
  }
}
