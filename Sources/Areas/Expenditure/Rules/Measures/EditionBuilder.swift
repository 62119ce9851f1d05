/// Puts an edition together, row by row.
package struct EditionBuilder {
  /// What does not belong together: the tables are not as an import leaves them.
  package struct Fault: Error, Sendable {
    package let text: String

    package init(text: String) { self.text = text }
  }

  package let voices: VoiceTree
  private let years: [Int]
  private let yearPlaces: [Int: Int]
  private var amounts: [Amount]
  private var counts: [ResidentCount?]
  private var percents: [Int: String] = [:]
  private var mobility: [MobilityAmount] = []

  /// - Parameter years: of the regional and the national accounts.
  package init(voices: VoiceTree, years: some Sequence<Int>) {
    self.voices = voices
    self.years = Set(years).sorted()
    yearPlaces = Dictionary(uniqueKeysWithValues: self.years.enumerated().map { ($1, $0) })
    let accountYears = Edition.accounts.count * self.years.count
    amounts = Array(repeating: .none, count: accountYears * voices.voices.count)
    counts = Array(repeating: nil, count: accountYears)
  }

  /// - Parameter voice: its place in the tree.
  package mutating func add(_ amount: Amount, account: Int, year: Int, voice: Int) throws(Fault) {
    let cell = try cell(account, year)
    guard let cell, voices.voices.indices.contains(voice) else { throw Fault(text: "an amount of \(account), \(year)") }
    amounts[cell * voices.voices.count + voice] = amount
  }

  /// Counts of years without accounts are of no use.
  package mutating func add(_ count: ResidentCount, account: Int) throws(Fault) {
    if let cell = try cell(account, count.year) { counts[cell] = count }
  }

  package mutating func add(percent: String, year: Int) { percents[year] = percent }

  package mutating func add(_ amount: MobilityAmount) { mobility.append(amount) }

  package func edition(_ facts: Edition.Facts) -> Edition {
    var counts = counts
    for year in years.indices where counts[year] == nil { counts[year] = italy(year) }
    return Edition(
      facts, years: years, voices: voices, amounts: amounts, counts: counts, prices: PriceIndex(percents: percents),
      mobility: mobility)
  }

  /// Italy's residents are those of all 21 territories, where each was counted at that date.
  private func italy(_ year: Int) -> ResidentCount? {
    let counted = (1..<Edition.accounts.count).compactMap { counts[$0 * years.count + year] }
    guard counted.count == AccountList.all.count, let first = counted.first else { return nil }
    return ResidentCount(
      year: first.year, residents: counted.reduce(0) { $0 + $1.residents },
      file: counted.allSatisfy { $0.file == first.file } ? first.file : 0, row: 0)
  }

  /// - Returns: nil for a year without accounts.
  private func cell(_ account: Int, _ year: Int) throws(Fault) -> Int? {
    guard let place = Edition.places[account] else { throw Fault(text: "account \(account)") }
    return yearPlaces[year].map { place * years.count + $0 }
  }
}
