import Testing

@testable import ExpenditureRules

@Suite("Forms of files are known by their headings")
struct FigureRowsTests {
  private static let regional = [
    "Anno di Riferimento", "Codice Regione", "Descrizione Regione", "Codice Voce Contabile",
    "Descrizione Voce Contabile", "Data Aggiornamento", "Importo Totale",
  ]
  private static let row = [
    "2024", "041", "P. A. Bolzano", "BA0390", "B.2) Acquisti di servizi", "07/11/2025", "12.34",
  ]

  private func read(_ heading: [String], _ cells: [String], isSheet: Bool = false) throws -> FigureRow {
    var rows = FigureRows(try FormHeadings(heading), isSheet: isSheet)
    return try rows.read(cells)
  }

  private func amount(_ heading: [String], _ cells: [String], isSheet: Bool = false) throws -> FigureRow.Amount? {
    if case .amount(let amount) = try read(heading, cells, isSheet: isSheet) { amount } else { nil }
  }

  @Test("Columns in any order, in any case, with others beside them")
  func anyOrder() throws {
    let plain = try amount(Self.regional, Self.row)
    #expect(plain?.account.text == "041" && plain?.cents == 1_234 && plain?.voice.text == "BA0390")
    let order = [6, 2, 0, 5, 4, 1, 3]
    #expect(try amount(order.map { Self.regional[$0].uppercased() + " " }, order.map { Self.row[$0] }) == plain)
    #expect(
      try amount(["Oneri Finanziari", "Tipo Rilevazione"] + Self.regional, ["", "Consuntivo"] + Self.row) == plain)
  }

  @Test("A heading that is missing is named", arguments: [0, 1, 2, 3, 4, 6])
  func missing(place: Int) throws {
    var heading = Self.regional
    let name = heading.remove(at: place)
    let problem = #expect(throws: RowProblem.self) { try FormHeadings(heading) }
    #expect(problem?.text.contains("\"\(name)\"") == true)
  }

  @Test("A heading that stands twice has a place")
  func doubled() {
    let problem = #expect(throws: RowProblem.self) { try FormHeadings(Self.regional + ["codice regione"]) }
    #expect(problem?.column == 7)
  }

  @Test(
    "A cell that is wrong has a place",
    arguments: [
      (0, "24"), (0, "1989"), (0, "2101"), (0, ""), (1, "21"), (1, "022"), (1, "042"), (1, "41x"), (1, "000"),
      (2, "Trento"),
      (2, ""),
      (3, "ba0390"), (3, "B"), (3, "BA034567890"), (4, ""), (4, "a\u{1}"), (6, ""), (6, "1.234"), (6, "=1+1"),
      (4, String(repeating: "è", count: 501)),
    ])
  func wrong(place: Int, text: String) {
    var row = Self.row
    row[place] = text
    let problem = #expect(throws: RowProblem.self) { try self.read(Self.regional, row) }
    // A name that does not fit the code is the name's fault.
    #expect(problem?.column == (text == "042" ? 2 : place))
  }

  @Test("Descriptions have 500 characters, whatever they take")
  func longTexts() throws {
    var row = Self.row
    row[4] = String(repeating: "è", count: 500)
    #expect(try amount(Self.regional, row)?.description == row[4])
  }

  @Test("A name is looked at in each row, also below one of the same code")
  func names() throws {
    var rows = FigureRows(try FormHeadings(Self.regional), isSheet: false)
    _ = try rows.read(Self.row)
    var row = Self.row
    row[2] = "Trento"
    let problem = #expect(throws: RowProblem.self) { try rows.read(row) }
    #expect(problem?.column == 2)
  }

  @Test("Bodies have at most three digits", arguments: ["0201", "20a", "-1", ""])
  func bodies(text: String) {
    let problem = #expect(throws: RowProblem.self) {
      try self.read(Self.regional + ["Codice Ente SSN", "Descrizione Ente"], Self.row + [text, "ASL"])
    }
    #expect(problem?.column == 7)
  }

  @Test(
    "Residents are counted, at the first day of a year",
    arguments: [
      (3, "0"), (3, "-1"), (3, "1.5"), (3, "1 000"), (3, "10000000000000000000"), (0, "2024-02-01"),
      (0, "2024-12-31"), (0, "1989-01-01"), (0, "01/01/2024"), (0, "20240-01-01"),
    ])
  func residents(place: Int, text: String) {
    var row = ["2024-01-01", "010", "Piemonte", "4251623"]
    row[place] = text
    let problem = #expect(throws: RowProblem.self) {
      try self.read(["date", "region_code", "region", "residents"], row)
    }
    #expect(problem?.column == place)
  }

  @Test(
    "Changes of prices are percentages from -50 to 1000",
    arguments: [
      "-50.1", "1000.5", "1e2", "5%", "--1", "1.2.3", ".5", "1.", "", "0.123456789012345678", "nan",
    ])
  func prices(text: String) {
    let problem = #expect(throws: RowProblem.self) {
      try self.read(["year", "consumer_prices_annual_change_percent"], ["2024", text])
    }
    #expect(problem?.column == 1)
  }

  @Test("Only final accounts are read")
  func stage() {
    let problem = #expect(throws: RowProblem.self) {
      try self.read(Self.regional + ["Tipo Rilevazione"], Self.row + ["PREVENTIVO"])
    }
    #expect(problem?.column == 7)
  }

  @Test("Bodies, Italy, residents, prices and mobility")
  func forms() throws {
    let bodies = try amount(
      Self.regional + ["Codice Ente SSN", "Descrizione Ente"], Self.row + ["000", "P.A. BOLZANO"])
    #expect(bodies?.body == 0 && bodies?.bodyName == "P.A. BOLZANO")
    let kept = [0, 3, 4, 6]
    #expect(try amount(kept.map { Self.regional[$0] }, kept.map { Self.row[$0] })?.account == .italy)
    #expect(
      try read(["date", "region_code", "region", "residents"], ["2024-01-01", "010", "Piemonte", "4251623"])
        == .residents(year: 2024, AccountNumber("010")!, date: "2024-01-01", count: 4_251_623))
    #expect(
      try read(["year", "consumer_prices_annual_change_percent"], ["2016", "-0,09401665691575"])
        == .price(year: 2016, percent: "-0.09401665691575"))
    #expect(
      try read(
        ["year", "region_code", "region", "paid_to_public_eur", "paid_to_private_eur", "received_partial_eur"],
        ["2022", "010", "Piemonte", "254756367.59", "1364043.97", "x"])
        == .mobility(
          year: 2022, AccountNumber("010")!, publicCents: 25_475_636_759, privateCents: 136_404_397))
    #expect(throws: RowProblem.self) { try FormHeadings(["a", "b"]) }
    #expect(throws: RowProblem.self) {
      try self.read(["date", "region_code", "region", "residents"], ["2024-02-01", "010", "Piemonte", "1"])
    }
  }

  @Test("A spreadsheet's binary fractions are the cents that were meant")
  func sheets() throws {
    var row = Self.row
    for (text, cents) in [("4311697012.3999996", 431_169_701_240), ("1.4919584274769E11", 14_919_584_274_769)] {
      row[6] = text
      #expect(try amount(Self.regional, row, isSheet: true)?.cents == Int64(cents))
      #expect(throws: RowProblem.self) { try self.amount(Self.regional, row) }
    }
    row[1] = "41"
    #expect(try amount(Self.regional, row, isSheet: true)?.account.text == "041")
  }
}
