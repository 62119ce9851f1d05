internal import ExpenditureRules
internal import Postgres
internal import Spreadsheets

/// Reads one file after the other into a release that is being made. Amounts go to the database as they come; what is kept
/// in memory is bounded: names, descriptions, and one row for each account and year of everything else.
struct FigureReading {
  /// The most codes that an import adds.
  static let newVoicesMax = 5_000
  /// The most descriptions, and the most names of bodies.
  static let textsMax = 200_000
  private static let columns = "cents, release, voice, file, row, form, year, account, body"

  /// A set of figures: a form and a year.
  struct SetKey: Hashable { let form, year: Int }
  struct DescriptionKey: Hashable { let form, year, voice: Int }
  struct BodyKey: Hashable { let year, account, body: Int }
  /// An account's year in the forms that have one row of it.
  struct RowKey: Hashable { let form, year, account: Int }
  struct Place: Hashable { let file, row: Int }

  let release: Int
  /// Ids of voices, by code.
  private(set) var voices: [VoiceCode: Int]
  private(set) var newVoices: [VoiceCode] = []
  private var voiceMax: Int
  private(set) var descriptions: [DescriptionKey: String] = [:]
  private(set) var bodies: [BodyKey: String] = [:]
  private(set) var rows: [RowKey: (place: Place, row: FigureRow)] = [:]
  /// Accounts of each set, and the newest file of it.
  private(set) var sets: [SetKey: (accounts: Set<Int>, file: Int)] = [:]
  /// Files by their ids.
  private(set) var names: [Int: String] = [:]

  init(release: Int, voices: [VoiceCode: Int]) {
    self.release = release
    self.voices = voices
    voiceMax = voices.values.max() ?? 0
  }

  struct Summary {
    let form: FileForm
    let rows: Int
    let years: ClosedRange<Int>
  }

  /// Reads a file.
  /// - Parameter id: of the file.
  /// - Throws: `ImportProblem`, `PostgresError`.
  mutating func read(_ file: GivenFile, id: Int, facts: GivenFile.Facts, _ connection: Connection) throws -> Summary {
    names[id] = file.name
    var heading: [String] = []
    var row: Int?
    do {
      let table = try TableFile.open(file.path)
      guard let first = try table.next() else { throw ImportProblem(file: file.name, text: "is empty") }
      row = first.number
      if table.format == .csv, !facts.endsWithLine {
        throw ImportProblem(
          file: file.name, text: "the last row has no end of line: the file is cut, or needs one")
      }
      let found = try HeadingRow(first, of: table)
      (heading, row) = (found.row.cells, found.row.number)
      var rows = FigureRows(try found.headings.get(), isSheet: table.format == .xlsx)
      var count = 0
      var years: ClosedRange<Int>?
      func each(_ body: (FigureRow, Int) throws -> Void) throws {
        while let next = try table.next() {
          row = next.number
          // Where all of the heading is merged over two rows.
          if count == 0, next.cells == heading { continue }
          let read = try rows.read(next.cells)
          count += 1
          if count % 1_000 == 0 { try connection.throwIfInterrupted() }
          years = min(years?.lowerBound ?? read.year, read.year)...max(years?.upperBound ?? read.year, read.year)
          try body(read, next.number)
        }
      }
      switch rows.headings.form {
      case .national, .regional, .bodies:
        let form = rows.headings.form
        _ = try connection.copyIn("COPY expenditure_figure (\(Self.columns)) FROM STDIN (FORMAT binary)") { writer in
          try each { read, number in
            guard case .amount(let amount) = read else { return }
            try add(amount, form, id, number, &writer)
          }
        }
      default: try each { read, number in try add(read, rows.headings.form, Place(file: id, row: number)) }
      }
      guard let years else { throw ImportProblem(file: file.name, text: "has a heading and no rows") }
      return Summary(form: rows.headings.form, rows: count, years: years)
    } catch let problem as RowProblem {
      throw ImportProblem(
        file: file.name, row: row, column: problem.column.flatMap { Self.name(heading, $0) }, text: problem.text)
    } catch let error as TableError {
      throw ImportProblem(
        file: file.name, row: error.row, column: error.column.flatMap { Self.name(heading, $0 - 1) },
        text: error.message)
    }
  }

  private static func name(_ heading: [String], _ place: Int) -> String? {
    guard heading.indices.contains(place), !heading[place].isEmpty else { return "\(place + 1)" }
    return String(heading[place].prefix(100))
  }

  private mutating func add(
    _ amount: FigureRow.Amount, _ form: FileForm, _ file: Int, _ row: Int, _ writer: inout CopyWriter
  ) throws {
    let voice = try voice(amount.voice)
    let (year, account) = (amount.year, amount.account.value)
    sets[SetKey(form: form.rawValue, year: year), default: ([], file)].accounts.insert(account)
    try Self.keep(amount.description, in: &descriptions, DescriptionKey(form: form.rawValue, year: year, voice: voice))
    if let body = amount.body {
      try Self.keep(amount.bodyName, in: &bodies, BodyKey(year: year, account: account, body: body))
    }
    try writer.row(fields: 9)
    try writer.int64(amount.cents)
    try writer.int32(Int32(release))
    try writer.int32(Int32(voice))
    try writer.int32(Int32(file))
    try writer.int32(Int32(row))
    try writer.int16(Int16(form.rawValue))
    try writer.int16(Int16(year))
    try writer.int16(Int16(account))
    try writer.int16(Int16(amount.body ?? -1))
  }

  private mutating func voice(_ code: VoiceCode) throws -> Int {
    if let known = voices[code] { return known }
    guard newVoices.count < Self.newVoicesMax else {
      throw RowProblem("is one new code too many: at most \(Self.newVoicesMax) come with one import")
    }
    voiceMax += 1
    voices[code] = voiceMax
    newVoices.append(code)
    return voiceMax
  }

  /// Of two texts for the same the one that comes first in the alphabet counts, so that the order of rows does not matter.
  private static func keep<Key: Hashable>(_ text: String, in texts: inout [Key: String], _ key: Key) throws {
    guard let known = texts[key] else {
      guard texts.count < textsMax else { throw RowProblem("is one name too many: at most \(textsMax)") }
      texts[key] = text
      return
    }
    if known != text, text < known { texts[key] = text }
  }

  private mutating func add(_ row: FigureRow, _ form: FileForm, _ place: Place) throws {
    let account =
      switch row {
      case .residents(_, let account, _, _), .mobility(_, let account, _, _): account.value
      case .amount, .price: 0
      }
    let key = RowKey(form: form.rawValue, year: row.year, account: account)
    if let known = rows[key] {
      throw RowProblem(
        "is there twice: \(row.year)\(account == 0 ? "" : ", \(AccountNumber(account)?.text ?? "")") stands in row "
          + "\(known.place.row) of \(names[known.place.file] ?? "") too")
    }
    rows[key] = (place, row)
    sets[SetKey(form: form.rawValue, year: row.year), default: ([], place.file)].accounts.insert(account)
  }
}
