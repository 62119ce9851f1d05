/// Something wrong in a row of a file.
package struct RowProblem: Error, Sendable, Hashable {
  /// Counts from 0; nil: the row as a whole.
  package let column: Int?
  /// To be read after the column's heading, such as "is empty".
  package let text: String

  package init(_ text: String, column: Int? = nil) {
    self.column = column
    self.text = text
  }
}

/// What the heading of a file says: its form, and which column is what. Columns are known by name, in any order; case,
/// accents, spaces and signs in a name don't matter; other columns are left out.
package struct FormHeadings: Sendable, Hashable {
  /// What a column holds. The value is the publisher's heading.
  package enum Column: String, Sendable, CaseIterable {
    case year = "Anno di Riferimento"
    case region = "Codice Regione"
    case regionName = "Descrizione Regione"
    case stage = "Tipo Rilevazione"
    case body = "Codice Ente SSN"
    case bodyName = "Descrizione Ente"
    case voice = "Codice Voce Contabile"
    case description = "Descrizione Voce Contabile"
    case amount = "Importo Totale"
    case date = "date"
    case convertedYear = "year"
    case convertedRegion = "region_code"
    case convertedRegionName = "region"
    case residents = "residents"
    case percent = "consumer_prices_annual_change_percent"
    case paidToPublic = "paid_to_public_eur"
    case paidToPrivate = "paid_to_private_eur"
  }

  package let form: FileForm
  private let places: [Column: Int]

  /// - Parameter heading: the cells of a row.
  /// - Throws: the heading that is missing or there twice, or that the form is none that is known.
  package init(_ heading: [String]) throws(RowProblem) {
    var places: [Column: Int] = [:]
    for (place, name) in heading.enumerated() {
      guard let column = Self.columns[PlainLetters.of(name)] else { continue }
      guard places.updateValue(place, forKey: column) == nil else {
        throw RowProblem("stands in the heading twice", column: place)
      }
    }
    guard let form = Self.form(places) else {
      throw RowProblem(
        "the heading is of no known form: an account has \"\(Column.year.rawValue)\", \"\(Column.voice.rawValue)\" and "
          + "\"\(Column.amount.rawValue)\", residents have \"date\", \"region_code\" and \"residents\", prices \"year\" "
          + "and \"\(Column.percent.rawValue)\"")
    }
    let missing = Self.needed(form).filter { places[$0] == nil }
    guard missing.isEmpty else {
      throw RowProblem("the heading has no \(missing.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))")
    }
    self.form = form
    self.places = places
  }

  /// How many cells of a row name a column that is known.
  package static func columnCount(_ cells: [String]) -> Int {
    cells.count { columns[PlainLetters.of($0)] != nil }
  }

  /// Where a column stands, from 0; nil: nowhere.
  package func place(_ column: Column) -> Int? { places[column] }

  private static let columns = Dictionary(
    uniqueKeysWithValues: Column.allCases.map { (PlainLetters.of($0.rawValue), $0) })

  /// What tells forms apart comes first: a file of bodies without the code of the region is no national one.
  private static func form(_ places: [Column: Int]) -> FileForm? {
    func has(_ columns: Column...) -> Bool { columns.contains { places[$0] != nil } }
    if has(.percent) { return .prices }
    if has(.residents) { return .residents }
    if has(.paidToPublic, .paidToPrivate) { return .mobility }
    if has(.body, .bodyName) { return .bodies }
    if has(.region, .regionName) { return .regional }
    if has(.voice, .description, .amount) { return .national }
    return nil
  }

  private static func needed(_ form: FileForm) -> [Column] {
    switch form {
    case .national: [.year, .voice, .description, .amount]
    case .regional: [.year, .region, .regionName, .voice, .description, .amount]
    case .bodies: [.year, .region, .regionName, .body, .bodyName, .voice, .description, .amount]
    case .residents: [.date, .convertedRegion, .convertedRegionName, .residents]
    case .prices: [.convertedYear, .percent]
    case .mobility: [.convertedYear, .convertedRegion, .convertedRegionName, .paidToPublic, .paidToPrivate]
    }
  }
}
