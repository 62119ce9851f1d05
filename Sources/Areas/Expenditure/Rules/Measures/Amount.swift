/// An amount of an account, and where it stands.
package struct Amount: Sendable, Hashable {
  package let cents: Int64
  /// The file's number, above 0.
  package let file: Int32
  /// Of the file, the heading being row 1.
  package let row: Int32

  package init(cents: Int64, file: Int32, row: Int32) {
    self.cents = cents
    self.file = file
    self.row = row
  }

  /// What stands where there is no amount.
  static let none = Amount(cents: 0, file: 0, row: 0)
}

/// A count of residents at 1 January of a year.
package struct ResidentCount: Sendable, Hashable {
  package let year: Int
  /// Above 0.
  package let residents: Int64
  /// The file's number; 0 where it is a sum of counts out of several files.
  package let file: Int32
  /// Of the file; 0 where it is the sum of several rows.
  package let row: Int32

  package init(year: Int, residents: Int64, file: Int32, row: Int32) {
    self.year = year
    self.residents = residents
    self.file = file
    self.row = row
  }

  /// "2024-01-01".
  package var date: String { "\(year)-01-01" }
}

/// What an account paid in a year for residents who were treated elsewhere.
package struct MobilityAmount: Sendable, Hashable {
  package let account: AccountNumber
  package let year: Int
  package let publicCents: Int64
  package let privateCents: Int64
  package let file: Int32
  package let row: Int32

  package init(
    account: AccountNumber, year: Int, publicCents: Int64, privateCents: Int64, file: Int32, row: Int32
  ) {
    self.account = account
    self.year = year
    self.publicCents = publicCents
    self.privateCents = privateCents
    self.file = file
    self.row = row
  }
}

/// A file of figures.
package struct SourceFile: Sendable, Hashable {
  /// The release that brought it.
  package let release: Int
  package let name: String

  package init(release: Int, name: String) {
    self.release = release
    self.name = name
  }
}

/// The accounts of one territory: of Italy, a region, or a body.
package protocol TerritoryFigures: Sendable {
  /// Years with an account, ascending.
  var years: [Int] { get }
  func hasAccount(in year: Int) -> Bool
  /// - Parameter voice: its place in the tree.
  func amount(_ voice: Int, in year: Int) -> Amount?
  /// At 1 January of the year; nil where nobody has counted them.
  func residents(in year: Int) -> ResidentCount?
}
