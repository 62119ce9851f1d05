/// Prices of years, chained out of annual changes: an amount of year Y in prices of year P is the amount times
/// (100 + change) / 100 of each year after Y up to P, or divided by those after P up to Y.
///
/// The chain is kept with 18 decimals, each step rounded half away from zero: a quadrillion cents are still right to
/// the cent. Changes are read to 16 decimals. Nothing is filled in: where a year between is missing, there is no way
/// across.
package struct PriceIndex: Sendable {
  private struct Level {
    /// Years of the same run are joined by changes.
    let run: Int
    /// In 10^-18 of the level of the run's first year.
    let level: Int128
  }

  private static let one: Int128 = 1_000_000_000_000_000_000
  /// A level beyond it, or below one over it, begins a new run: products of up to 1.7 times as much keep to 127 bits.
  private static let levelMax: Int128 = one * 100

  private let levels: [Int: Level]

  /// No prices at all.
  package static let none = PriceIndex(percents: [:])

  /// - Parameter percents: by year, how much more prices were than the year before, as it was written: "0.98", "-0,1".
  ///   What is no such number counts as missing.
  package init(percents: [Int: String]) {
    var levels: [Int: Level] = [:]
    var run = 0
    for year in percents.keys.sorted() {
      guard let factor = percents[year].flatMap({ Self.factor($0) }) else { continue }
      if levels[year - 1] == nil {
        run += 1
        levels[year - 1] = Level(run: run, level: Self.one)
      }
      guard let before = levels[year - 1], let level = ExactRatio.rounded(before.level, factor, over: Self.one),
        level <= Self.levelMax, level >= Self.one * Self.one / Self.levelMax
      else { continue }
      levels[year] = Level(run: before.run, level: level)
    }
    self.levels = levels
  }

  /// Years whose prices amounts of one of some years can be expressed in, ascending.
  package func years(reaching accounts: [Int]) -> [Int] {
    let runs = Set(accounts.compactMap { levels[$0]?.run })
    return levels.filter { runs.contains($0.value.run) }.keys.sorted()
  }

  /// What amounts of a year are multiplied by and then divided by.
  package struct Factor: Sendable, Hashable {
    let numerator: Int128
    let denominator: Int128

    /// Of current prices.
    package static let one = Factor(numerator: 1, denominator: 1)

    /// An amount in the other prices, divided by a count, rounded once, half away from zero; nil where it has no room
    /// in 64 bits.
    package func apply(to cents: Int64, over count: Int64 = 1) -> Int64? {
      guard !(denominator.multipliedReportingOverflow(by: Int128(count)).overflow) else { return nil }
      return ExactRatio.rounded(Int128(cents), numerator, over: denominator * Int128(count)).flatMap {
        Int64(exactly: $0)
      }
    }
  }

  /// From a year's prices to another's; nil where the index does not have both and every year between.
  package func factor(from year: Int, to other: Int) -> Factor? {
    if year == other { return .one }
    guard let from = levels[year], let to = levels[other], from.run == to.run else { return nil }
    return Factor(numerator: to.level, denominator: from.level)
  }

  /// 10^18 × (1 + percent / 100); nil for what is no number above −100.
  private static func factor(_ percent: String) -> Int128? {
    var bytes = percent.utf8.filter { $0 != 0x20 }[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    let parts = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    guard let whole = parts.first, (1...5).contains(whole.count), parts.count <= 2,
      parts.joined().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    var scaled: Int128 = 0
    for byte in whole { scaled = scaled * 10 + Int128(byte - 0x30) }
    let decimals = parts.count == 2 ? Array(parts[1]) : []
    for place in 0..<16 { scaled = scaled * 10 + Int128(place < decimals.count ? decimals[place] - 0x30 : 0) }
    if decimals.count > 16, decimals[16] >= 0x35 { scaled += 1 }
    let factor = one + (isNegative ? -scaled : scaled)
    return factor > 0 ? factor : nil
  }
}

/// Whole numbers divided, rounded half away from zero.
package enum ExactRatio {
  /// `left` × `right` / `divisor`; nil where the product has no room in 127 bits.
  /// - Parameter divisor: above 0.
  package static func rounded(_ left: Int128, _ right: Int128, over divisor: Int128) -> Int128? {
    let (product, isTooLarge) = left.multipliedReportingOverflow(by: right)
    if isTooLarge { return nil }
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: divisor)
    let half = rest.magnitude >= divisor.magnitude - rest.magnitude
    return half && rest != 0 ? quotient + (product < 0 ? -1 : 1) : quotient
  }
}
