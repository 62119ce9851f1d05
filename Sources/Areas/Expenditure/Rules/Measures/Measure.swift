/// What is shown of an amount.
package enum Measure: Int, Sendable, Hashable, CaseIterable {
  /// Cents.
  case euros = 1
  /// Cents for each resident at 1 January of the account's year.
  case perResident = 2
  /// Millionths of the total costs of production of the same account.
  case share = 3
  /// Millionths of the amount of the year before.
  case change = 4
}

/// Why there is no value. The number is the wire's.
package enum MissingReason: Int, Sendable, Hashable, CaseIterable {
  case notReported = 1
  case noAccount = 2
  case noResidents = 3
  case noYearBefore = 4
  case noTotal = 5
  case noPrices = 6
  case zeroBase = 7
}

/// One number, or why there is none.
package struct MeasuredValue: Sendable, Hashable {
  package enum Known: Sendable, Hashable {
    /// In the unit of the measure.
    case number(Int64)
    case missing(MissingReason)
  }

  package let known: Known
  /// What it is made of, where there is such.
  package let amount: Amount?
  /// Of a value per resident.
  package let residents: ResidentCount?

  package var number: Int64? { if case .number(let number) = known { number } else { nil } }
}

/// A measure in the prices of a year.
package struct Measurement: Sendable {
  package let measure: Measure
  /// Nil: current prices.
  package let pricesOf: Int?
  private let prices: PriceIndex
  /// The total costs of production, by its place.
  private let total: Int?

  /// - Parameters:
  ///   - pricesOf: nil: current prices.
  ///   - edition: whose prices and voices they are.
  package init(_ measure: Measure, pricesOf: Int?, of edition: Edition) {
    self.measure = measure
    self.pricesOf = pricesOf
    prices = edition.prices
    total = edition.voices[.costs]
  }

  /// Rounded half away from zero. Where several reasons hold, it is the first of: no account, no such voice in it; no
  /// residents; no total; no year before; no prices; nothing to divide by, or less.
  ///
  /// The change in constant prices is that of both years' amounts in whole cents of these prices. A share is the same
  /// in all prices.
  package func value(_ voice: Int, in year: Int, of figures: some TerritoryFigures) -> MeasuredValue {
    guard figures.hasAccount(in: year) else { return missing(.noAccount) }
    guard let amount = figures.amount(voice, in: year) else { return missing(.notReported) }
    switch measure {
    case .euros: return value(constant(amount.cents, of: year), amount)
    case .perResident:
      guard let counted = figures.residents(in: year) else { return missing(.noResidents, amount) }
      return value(constant(amount.cents, of: year, over: counted.residents), amount, counted)
    case .share:
      guard let total, let whole = figures.amount(total, in: year) else { return missing(.noTotal, amount) }
      return ratio(amount.cents, to: whole.cents, amount)
    case .change:
      guard let before = figures.amount(voice, in: year - 1) else { return missing(.noYearBefore, amount) }
      guard let now = constant(amount.cents, of: year), let then = constant(before.cents, of: year - 1) else {
        return missing(.noPrices, amount)
      }
      return ratio(Int128(now) - Int128(then), to: then, amount)
    }
  }

  private func constant(_ cents: Int64, of year: Int, over count: Int64 = 1) -> Int64? {
    guard let pricesOf else { return PriceIndex.Factor.one.apply(to: cents, over: count) }
    return prices.factor(from: year, to: pricesOf)?.apply(to: cents, over: count)
  }

  private func ratio(_ part: some BinaryInteger, to whole: Int64, _ amount: Amount) -> MeasuredValue {
    guard whole > 0, let millionths = ExactRatio.rounded(Int128(part), 1_000_000, over: Int128(whole)) else {
      return missing(.zeroBase, amount)
    }
    return value(Int64(clamping: millionths), amount)
  }

  private func missing(_ reason: MissingReason, _ amount: Amount? = nil) -> MeasuredValue {
    MeasuredValue(known: .missing(reason), amount: amount, residents: nil)
  }

  private func value(_ number: Int64?, _ amount: Amount, _ residents: ResidentCount? = nil) -> MeasuredValue {
    MeasuredValue(known: number.map { .number($0) } ?? .missing(.noPrices), amount: amount, residents: residents)
  }
}
