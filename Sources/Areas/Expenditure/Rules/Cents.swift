/// Amounts of money in whole cents.
package enum Cents {
  /// Why a text is no amount, to be read after its column's name.
  package struct Problem: Error, Sendable, Hashable {
    package let text: String
  }

  /// Reads an amount as publishers write it: a sign, digits, a decimal point or comma, at most two decimals. Thousands may
  /// be apart where there is no doubt: "1.234.567,89", "1,234,567.89", "1 234 567.89"; "1.234" is refused.
  package static func parse(_ text: String) throws(Problem) -> Int64 {
    var text = text
    let read = text.withUTF8 { Parsed($0) }
    switch read {
    case .cents(let cents): return cents
    case .problem(let problem): throw Problem(text: problem)
    }
  }

  /// "-12.05".
  package static func text(_ cents: Int64) -> String {
    let (euros, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(cents < 0 ? "-" : "")\(euros).\(rest < 10 ? "0" : "")\(rest)"
  }

  private enum Parsed {
    case cents(Int64)
    case problem(String)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      var start = 0
      var end = bytes.count
      while start < end, bytes[start] == 0x20 { start += 1 }
      while end > start, bytes[end - 1] == 0x20 { end -= 1 }
      guard start < end else {
        self = .problem("is empty")
        return
      }
      let isNegative = bytes[start] == UInt8(ascii: "-")
      if isNegative || bytes[start] == UInt8(ascii: "+") { start += 1 }
      // Where the decimals begin, and what stands between thousands.
      var marks = (points: 0, commas: 0, others: 0)
      var last = -1
      for index in start..<Swift.max(start, end) {
        switch bytes[index] {
        case 0x30...0x39: continue
        case UInt8(ascii: "."):
          marks.points += 1
          last = index
        case UInt8(ascii: ","):
          marks.commas += 1
          last = index
        case 0x20, UInt8(ascii: "'"): marks.others += 1
        default:
          self = .problem("must be an amount, digits with a decimal point or comma")
          return
        }
      }
      var decimal = -1
      switch (marks.points, marks.commas) {
      case (0, 0): break
      case (1, 0), (0, 1), (1, 1): decimal = last
      case (2..., 1): decimal = bytes[last] == UInt8(ascii: ",") ? last : -2
      case (1, 2...): decimal = bytes[last] == UInt8(ascii: ".") ? last : -2
      case (2..., 0), (0, 2...): break
      default: decimal = -2
      }
      let isFractionWhole = decimal < 0 || bytes[(decimal + 1)..<end].allSatisfy { 0x30...0x39 ~= $0 }
      if decimal == -2 || !isFractionWhole {
        self = .problem("has its points and commas in an order that no number has")
        return
      }
      let wholeEnd = decimal < 0 ? end : decimal
      let decimals = decimal < 0 ? 0 : end - decimal - 1
      let isApart = marks.others > 0 || marks.points + marks.commas > (decimal < 0 ? 0 : 1)
      guard decimals <= 2 else {
        self = .problem(
          decimals == 3 && !isApart
            ? "could be thousands or decimals: at most two decimals, and thousands not apart"
            : "has more than two decimals")
        return
      }
      guard decimal < 0 || decimals > 0, wholeEnd > start else {
        self = .problem("must have digits before and after the decimal sign")
        return
      }
      var cents: Int64 = 0
      var group = 0
      var separator: UInt8?
      for index in start..<wholeEnd {
        let byte = bytes[index]
        guard byte < 0x30 || byte > 0x39 else {
          if !Self.append(byte, to: &cents) {
            self = .problem("is too large")
            return
          }
          group += 1
          continue
        }
        guard separator == nil ? (1...3).contains(group) : (group == 3 && byte == separator) else {
          self = .problem("has thousands that are not three digits apart")
          return
        }
        separator = byte
        group = 0
      }
      guard separator == nil || group == 3 else {
        self = .problem("has thousands that are not three digits apart")
        return
      }
      for place in 0..<2 {
        let byte = place < decimals ? bytes[decimal + 1 + place] : 0x30
        if !Self.append(byte, to: &cents) {
          self = .problem("is too large")
          return
        }
      }
      self = .cents(isNegative ? -cents : cents)
    }

    /// - Returns: false where there is no room; a whole sum of 21 such amounts has room in 64 bits.
    private static func append(_ byte: UInt8, to cents: inout Int64) -> Bool {
      guard cents <= Cents.max / 10 else { return false }
      cents = cents * 10 + Int64(byte - 0x30)
      return cents <= Cents.max
    }
  }

  /// The greatest amount: 10^13 euros, several times the product of the country. Sums of thousands have room in 64 bits.
  package static let max: Int64 = 1_000_000_000_000_000
}
