/// Numbers as sheets store them.
enum StoredNumber {
  /// No number of 64 bits needs more places.
  private static let maxExponent = 400
  private static let maxBytes = 64

  /// The same number without exponent and without needless zeros: "1.4470736886E8" is "144707368.86". It is made of the
  /// digits as they stand, and so is exact. nil: it is no number.
  static func plain(_ bytes: some RandomAccessCollection<UInt8>) -> String? {
    guard bytes.count <= maxBytes else { return nil }
    if bytes.first != UInt8(ascii: "0"), bytes.allSatisfy(isDigit), !bytes.isEmpty {
      return String(decoding: bytes, as: UTF8.self)
    }
    var rest = Array(bytes)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    var digits = rest.prefix(while: isDigit)
    rest = rest[digits.endIndex...]
    /// Of `digits`: how many stand before the point.
    var whole = digits.count
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest[fraction.endIndex...]
      digits += fraction
    }
    guard !digits.isEmpty else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      guard let exponent = Int(String(decoding: rest.dropFirst(), as: UTF8.self)), abs(exponent) <= maxExponent else {
        return nil
      }
      whole += exponent
      rest = []
    }
    guard rest.isEmpty else { return nil }
    let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits = digits.dropFirst(leading)
    whole -= leading
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    guard !digits.isEmpty else { return "0" }
    return (isNegative ? "-" : "") + text(Array(digits), whole: whole)
  }

  /// - Parameter whole: how many digits stand before the point; negative: so many zeros follow it.
  private static func text(_ digits: [UInt8], whole: Int) -> String {
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(1, -whole, whole - digits.count))
    let point = UInt8(ascii: ".")
    var bytes = digits
    if whole <= 0 {
      bytes.insert(contentsOf: [zeros[0], point] + zeros[..<(-whole)], at: 0)
    } else if whole < digits.count {
      bytes.insert(point, at: whole)
    } else {
      bytes += zeros[..<(whole - digits.count)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
