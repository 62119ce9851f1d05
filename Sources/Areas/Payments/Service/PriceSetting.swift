package import AreaKit
internal import ArgumentParser
internal import Console

extension AreaStart {
  /// What something costs that is paid for before it is given: "1500 EUR" is 15 euros.
  /// - Returns: nil where nothing is to be paid.
  /// - Throws: `ValidationError` for anything else, and where there is no payment provider.
  package func price(_ name: String) throws -> Money? {
    guard let text = environment[name] else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let minorUnits = Int64(words[0]), Money.minorUnitsRange.contains(minorUnits),
      words[1].utf8.count == 3, words[1].utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    else {
      throw ValidationError(
        "\(name): \(text) must be a number from 1 to 100,000,000 of the currency's smallest unit, and the currency's three "
          + "letters, such as \"1500 EUR\"")
    }
    guard self[PaymentsArea.self].provider != nil else { throw ValidationError("\(name) needs TRACKME_PAYMENT_URL") }
    return Money(currency: String(words[1]), minorUnits: minorUnits)
  }
}
