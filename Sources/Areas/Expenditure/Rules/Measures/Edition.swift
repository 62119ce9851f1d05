/// Everything that a release says of Italy and its 21 accounts, in memory: 158,000 amounts, with the rows that they
/// came from, are 2.5 MB. It never changes.
package final class Edition: Sendable {
  /// Italy and the 21 accounts, in the order of their codes.
  package static let accounts = [AccountNumber.italy] + AccountList.all

  /// What a release is besides its figures.
  package struct Facts: Sendable {
    package let release: Int
    /// Microseconds since the Unix epoch.
    package let publishedAt: Int64
    /// Empty: no check failed.
    package let overrideReason: String
    /// Of every form, each once.
    package let sources: [FileForm: [FigureSource]]
    /// By number.
    package let files: [Int32: SourceFile]

    package init(
      release: Int, publishedAt: Int64, overrideReason: String, sources: [FileForm: [FigureSource]],
      files: [Int32: SourceFile]
    ) {
      self.release = release
      self.publishedAt = publishedAt
      self.overrideReason = overrideReason
      self.sources = sources
      self.files = files
    }
  }

  package let facts: Facts
  /// For which there are accounts of regions or of Italy, ascending.
  package let years: [Int]
  package let voices: VoiceTree
  /// By voice: years in which the regions' accounts have it, ascending.
  package let voiceYears: [[Int]]
  package let prices: PriceIndex
  /// Years whose prices amounts can be expressed in, ascending.
  package let priceYears: [Int]
  /// By year and code.
  package let mobility: [MobilityAmount]
  private let amounts: [Amount]
  private let counts: [ResidentCount?]
  private let figures: [AccountFigures.Rows]

  init(
    _ facts: Facts, years: [Int], voices: VoiceTree, amounts: [Amount], counts: [ResidentCount?], prices: PriceIndex,
    mobility: [MobilityAmount]
  ) {
    self.facts = facts
    self.years = years
    self.voices = voices
    self.prices = prices
    priceYears = prices.years(reaching: years)
    self.mobility = mobility.sorted { ($0.year, $0.account) < ($1.year, $1.account) }
    self.amounts = amounts
    self.counts = counts
    let width = voices.voices.count
    figures = Self.accounts.indices.map { account in
      AccountFigures.Rows(
        years: years.indices.filter { year in
          let start = (account * years.count + year) * width
          return amounts[start..<(start + width)].contains { $0.file != 0 }
        }.map { years[$0] })
    }
    voiceYears = (0..<width).map { voice in
      years.indices.filter { year in
        (1..<Self.accounts.count).contains { amounts[($0 * years.count + year) * width + voice].file != 0 }
      }.map { years[$0] }
    }
  }

  /// The accounts of Italy or of one of the 21.
  package subscript(account: AccountNumber) -> AccountFigures {
    let place = Self.places[account.value] ?? 0
    return AccountFigures(edition: self, place: place, rows: figures[place])
  }

  /// In which any account has the voice, ascending.
  package func years(of voice: Int) -> [Int] {
    years.indices.filter { year in
      Self.accounts.indices.contains { amount($0, year, voice) != nil }
    }.map { years[$0] }
  }

  /// - Parameter year: its place in `years`.
  func amount(_ account: Int, _ year: Int, _ voice: Int) -> Amount? {
    let amount = amounts[(account * years.count + year) * voices.voices.count + voice]
    return amount.file == 0 ? nil : amount
  }

  func residents(_ account: Int, _ year: Int) -> ResidentCount? { counts[account * years.count + year] }

  static let places = Dictionary(uniqueKeysWithValues: accounts.enumerated().map { ($1.value, $0) })
}

/// The accounts of Italy or of one of the 21.
package struct AccountFigures: TerritoryFigures {
  struct Rows: Sendable {
    let years: [Int]
  }

  let edition: Edition
  let place: Int
  let rows: Rows

  package var years: [Int] { rows.years }

  package func hasAccount(in year: Int) -> Bool { rows.years.contains(year) }

  package func amount(_ voice: Int, in year: Int) -> Amount? {
    guard let year = edition.years.firstIndex(of: year) else { return nil }
    return edition.amount(place, year, voice)
  }

  package func residents(in year: Int) -> ResidentCount? {
    guard let year = edition.years.firstIndex(of: year) else { return nil }
    return edition.residents(place, year)
  }
}

/// Accounts of one body, of the voices that were asked for. Nobody counts its residents.
package struct BodyFigures: TerritoryFigures {
  package let years: [Int]
  /// By year, then by voice.
  private let amounts: [Int: [Int: Amount]]

  /// - Parameters:
  ///   - years: with an account, of whatever voices.
  ///   - amounts: by year, then by the voice's place in the tree.
  package init(years: [Int], amounts: [Int: [Int: Amount]]) {
    self.years = years.sorted()
    self.amounts = amounts
  }

  package func hasAccount(in year: Int) -> Bool { years.contains(year) }
  package func amount(_ voice: Int, in year: Int) -> Amount? { amounts[year]?[voice] }
  package func residents(in year: Int) -> ResidentCount? { nil }
}
