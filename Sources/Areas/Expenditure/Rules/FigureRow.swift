/// What a row of a file says.
package enum FigureRow: Sendable, Hashable {
  case amount(Amount)
  /// - Parameter date: "2024-01-01": the first day of the year.
  case residents(year: Int, AccountNumber, date: String, count: Int64)
  /// - Parameter percent: with a decimal point.
  case price(year: Int, percent: String)
  case mobility(year: Int, AccountNumber, publicCents: Int64, privateCents: Int64)

  package struct Amount: Sendable, Hashable {
    package let year: Int
    package let account: AccountNumber
    /// 0 to 999; nil: the account as a whole.
    package let body: Int?
    /// "" where there is none.
    package let bodyName: String
    package let voice: VoiceCode
    package let description: String
    package let cents: Int64
  }

  /// The year of the row.
  package var year: Int {
    switch self {
    case .amount(let amount): amount.year
    case .residents(let year, _, _, _), .price(let year, _), .mobility(let year, _, _, _): year
    }
  }
}
