/// Reads the rows of a file.
package struct FigureRows: Sendable {
  /// Years of accounts and counts.
  package static let years = 1990...2100
  /// The most characters of a description and of a name.
  package static let textMax = 500

  package let headings: FormHeadings
  /// Whether numbers come from a spreadsheet, which keeps them as binary fractions: 4311697012.3999996 is 4311697012.40.
  private let isSheet: Bool
  /// The newest account, as its code and its name were written: most rows have that of the row before.
  private var newest: (code: String, name: String, account: AccountNumber)?
  private var voices: [String: VoiceCode] = [:]

  package init(_ headings: FormHeadings, isSheet: Bool) {
    self.headings = headings
    self.isSheet = isSheet
  }

  /// - Throws: what is wrong, and in which column.
  package mutating func read(_ cells: [String]) throws(RowProblem) -> FigureRow {
    switch headings.form {
    case .national, .regional, .bodies: return .amount(try amount(cells))
    case .residents:
      let (year, date) = try firstDay(cells)
      return .residents(
        year: year, try account(cells, .convertedRegion, .convertedRegionName), date: date, count: try count(cells))
    case .prices: return .price(year: try year(cells, .convertedYear), percent: try percent(cells))
    case .mobility:
      return .mobility(
        year: try year(cells, .convertedYear), try account(cells, .convertedRegion, .convertedRegionName),
        publicCents: try cents(cells, .paidToPublic), privateCents: try cents(cells, .paidToPrivate))
    }
  }

  private mutating func amount(_ cells: [String]) throws(RowProblem) -> FigureRow.Amount {
    if let place = headings.place(.stage), PlainLetters.of(cells[place]) != "consuntivo" {
      throw RowProblem("must be CONSUNTIVO, the final account", column: place)
    }
    let year = try year(cells, .year)
    let account = headings.form == .national ? .italy : try account(cells, .region, .regionName)
    var body: Int?
    var name = ""
    if headings.form == .bodies {
      body = try bodyNumber(cells)
      name = try text(cells, .bodyName)
    }
    return .init(
      year: year, account: account, body: body, bodyName: name, voice: try voice(cells),
      description: try text(cells, .description), cents: try cents(cells, .amount))
  }

  // MARK: Cells

  private func cell(_ cells: [String], _ column: FormHeadings.Column) throws(RowProblem) -> (String, Int) {
    guard let place = headings.place(column), place < cells.count else {
      throw RowProblem("has no \"\(column.rawValue)\"")
    }
    let text = Self.trimmed(cells[place])
    guard !text.isEmpty else { throw RowProblem("is empty", column: place) }
    return (text, place)
  }

  private func year(_ cells: [String], _ column: FormHeadings.Column) throws(RowProblem) -> Int {
    let (text, place) = try cell(cells, column)
    guard text.utf8.count == 4, let year = Self.digits(text), Self.years.contains(year) else {
      throw RowProblem("must be a year from 1990 to 2100", column: place)
    }
    return year
  }

  private mutating func account(
    _ cells: [String], _ code: FormHeadings.Column, _ name: FormHeadings.Column
  ) throws(RowProblem) -> AccountNumber {
    let (code, place) = try cell(cells, code)
    let (name, namePlace) = try cell(cells, name)
    if let newest, newest.code == code, newest.name == name { return newest.account }
    // A spreadsheet program makes 10 of 010.
    guard 2...3 ~= code.utf8.count, let number = Self.digits(code), number > 0, let account = AccountNumber(number)
    else {
      throw RowProblem(
        "must be one of the 21 codes of the accounts, 010 to 200, with 041 Bolzano and 042 Trento; those of ISTAT are "
          + "others", column: place)
    }
    guard AccountList.isName(name, of: account) else {
      throw RowProblem("does not fit the code: \(account.text) is \(account.name)", column: namePlace)
    }
    newest = (code, name, account)
    return account
  }

  private func bodyNumber(_ cells: [String]) throws(RowProblem) -> Int {
    let (text, place) = try cell(cells, .body)
    guard 1...3 ~= text.utf8.count, let number = Self.digits(text) else {
      throw RowProblem("must be three digits", column: place)
    }
    return number
  }

  private mutating func voice(_ cells: [String]) throws(RowProblem) -> VoiceCode {
    let (text, place) = try cell(cells, .voice)
    if let known = voices[text] { return known }
    guard let voice = VoiceCode(text) else {
      throw RowProblem("must be a code such as BA0390: three to ten capital letters and digits", column: place)
    }
    if voices.count < 10_000 { voices[text] = voice }
    return voice
  }

  private func text(_ cells: [String], _ column: FormHeadings.Column) throws(RowProblem) -> String {
    let (text, place) = try cell(cells, column)
    guard text.utf8.count <= Self.textMax || text.count <= Self.textMax else {
      throw RowProblem("has more than \(Self.textMax) characters", column: place)
    }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw RowProblem("has a control character", column: place)
    }
    return text
  }

  private func cents(_ cells: [String], _ column: FormHeadings.Column) throws(RowProblem) -> Int64 {
    let (text, place) = try cell(cells, column)
    do { return try Cents.parse(isSheet ? Self.decimal(text) : text) } catch {
      throw RowProblem(error.text, column: place)
    }
  }

  private func count(_ cells: [String]) throws(RowProblem) -> Int64 {
    let (text, place) = try cell(cells, .residents)
    guard text.utf8.count <= 10, let count = Self.digits(text), count > 0 else {
      throw RowProblem("must be a whole number of residents, digits alone", column: place)
    }
    return Int64(count)
  }

  private func firstDay(_ cells: [String]) throws(RowProblem) -> (Int, String) {
    let (text, place) = try cell(cells, .date)
    guard text.utf8.count == 10, text.hasSuffix("-01-01"), let year = Self.digits(String(text.prefix(4))),
      Self.years.contains(year)
    else { throw RowProblem("must be the first day of a year, such as 2024-01-01", column: place) }
    return (year, text)
  }

  private func percent(_ cells: [String]) throws(RowProblem) -> String {
    let (text, place) = try cell(cells, .percent)
    let point = String(text.map { $0 == "," ? "." : $0 })
    let digits = point.drop { $0 == "-" }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard point.utf8.count - digits.utf8.count <= 1, 1...2 ~= parts.count,
      parts.allSatisfy({ 1...17 ~= $0.utf8.count && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let value = Double(point), -50...1_000 ~= value
    else { throw RowProblem("must be a percentage from -50 to 1000, with at most 17 decimals", column: place) }
    return point
  }

  /// The shortest decimal that is the same binary fraction.
  static func decimal(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }),
      text.utf8.allSatisfy({ (0x2B...0x39).contains($0) && $0 != 0x2C && $0 != 0x2F || $0 | 0x20 == 0x65 }),
      let value = Double(text), value.magnitude < 1e15
    else { return text }
    let shortest = "\(value)"
    return shortest.contains("e") ? text : shortest
  }

  private static func digits(_ text: String) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  private static func trimmed(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last, isSpace(first) || isSpace(last) || last == 0xA0 else {
      return text
    }
    let blank: (Character) -> Bool = { $0.isWhitespace }
    return String(text.drop(while: blank).reversed().drop(while: blank).reversed())
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
