internal import BenchKit
internal import ExpenditureRules
internal import Glibc

/// Accounts in the official form (`;`, CRLF, decimal point) that agree with each other to the cent. They are made up, and
/// the names of their bodies say so.
struct SyntheticFiles {
  static let years = 2012...2024

  let directory: String
  /// Of bodies, in all years.
  let bodyRows: Int
  private let form = SyntheticForm()

  /// Accounts of Italy and of the 21, residents and prices: all years.
  private(set) var accounts: [String] = []
  /// Accounts of bodies: a file for each year.
  private(set) var bodies: [String] = []
  /// Rows and bytes of the files of bodies.
  private(set) var (rows, bytes) = (0, 0)

  /// Writes the files.
  init(in directory: String, bodyRows: Int) throws {
    self.directory = directory
    self.bodyRows = bodyRows
    for year in Self.years { try write(year) }
    accounts.append(try file("residents.csv", Self.residents))
    accounts.append(try file("prices.csv", Self.prices))
  }

  /// Codes of the voices that have parts, for questions.
  var questions: [String] { form.voices.filter { $0.hasParts && $0.code.hasPrefix("B") }.map(\.code) }

  private mutating func write(_ year: Int) throws {
    var italy = [Int64](repeating: 0, count: form.voices.count)
    var regional = Rows("Anno di Riferimento;Codice Regione;Descrizione Regione;" + Self.voiceHeadings)
    var bodies = Rows(
      "Anno di Riferimento;Codice Regione;Descrizione Regione;Tipo Rilevazione;Codice Ente SSN;Codice Ente BDAP;"
        + "Descrizione Ente;" + Self.voiceHeadings)
    var budget = bodyRows / Self.years.count + (year == Self.years.upperBound ? bodyRows % Self.years.count : 0)
    budget -= AccountList.all.count * form.voices.count
    for (index, account) in AccountList.all.enumerated() {
      let code = Self.padded(account.value)
      let start = "\(year);\(code);\(account.name);"
      let all = form.account(leaves(of: account.value, body: 999, year, count: form.leaves.count))
      for (place, amount) in all.enumerated() { italy[place] += amount ?? 0 }
      add(all, to: &regional, start)
      add(all, to: &bodies, Self.body(start, code, 999))
      for (number, body) in Self.numbers.enumerated() {
        let left = (AccountList.all.count - index) * Self.numbers.count - number
        let some = bodyAccount(account.value, body, year, rows: budget / left)
        budget -= some.count { $0 != nil }
        add(some, to: &bodies, Self.body(start, code, body))
      }
    }
    var national = Rows("Anno di Riferimento;" + Self.voiceHeadings)
    add(italy, to: &national, "\(year);")
    rows += bodies.count
    bytes += bodies.bytes.count
    accounts.append(try file("conto_nazionale_\(year).SYNTHETIC.csv", national.bytes))
    accounts.append(try file("conto_regionale_\(year).SYNTHETIC.csv", regional.bytes))
    self.bodies.append(try file("conto_enti_\(year).SYNTHETIC.csv", bodies.bytes))
  }

  /// The account of a body with so many voices, or a few less.
  private func bodyAccount(_ account: Int, _ body: Int, _ year: Int, rows: Int) -> [Int64?] {
    // About as many leaves as voices are wanted, less those above them.
    var count = min(form.leaves.count, rows)
    var amounts = form.account(leaves(of: account, body: body, year, count: count))
    // One leaf less is one voice less at least.
    while case let over = amounts.count(where: { $0 != nil }) - rows, over > 0, count > 1 {
      count = max(1, count - max(1, over * 3 / 4))
      amounts = form.account(leaves(of: account, body: body, year, count: count))
    }
    return amounts
  }

  /// Amounts of the first leaves; they grow by a percent or two a year.
  private func leaves(of account: Int, body: Int, _ year: Int, count: Int) -> [Int: Int64] {
    Dictionary(
      uniqueKeysWithValues: form.leaves.prefix(count).map { leaf in
        let base = 100_000 + Self.scattered(account * 1_000_003 + body * 8_191 + leaf * 131) % 90_000_000
        return (leaf, base / 100 * Int64(100 + year - Self.years.lowerBound) + Self.scattered(leaf + year) % 100)
      })
  }

  /// A number that looks like chance, the same in each run.
  private static func scattered(_ seed: Int) -> Int64 {
    var bits = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 29) &* 0xBF58_476D_1CE4_E5B9
    return Int64((bits ^ bits >> 32) >> 2)
  }

  private func add(_ amounts: [Int64?], to rows: inout Rows, _ start: String) {
    let head = Array(start.utf8)
    for (voice, amount) in zip(form.voices, amounts) {
      guard let amount else { continue }
      rows.add(head, "\(voice.code);\(voice.description);07/11/2025;", cents: amount)
    }
  }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = directory + "/" + name
    guard let file = fopen(path, "w") else { throw BenchError("\(path): \(describeError())") }
    let written = fwrite(bytes, 1, bytes.count, file)
    try check(fclose(file) == 0 && written == bytes.count, "\(path): \(describeError())")
    return path
  }

  /// Of bodies beside the consolidation, 999.
  private static let numbers = [0] + Array(101...109)
  private static let voiceHeadings =
    "Codice Voce Contabile;Descrizione Voce Contabile;Data Aggiornamento;Importo Totale"

  private static func padded(_ number: Int) -> String { String(String(1_000 + number).dropFirst()) }

  private static func body(_ start: String, _ account: String, _ number: Int) -> String {
    let code = padded(number)
    return "\(start)CONSUNTIVO;\(code);729242930477\(account)\(code);ENTE SINTETICO (SYNTHETIC) \(account)\(code);"
  }

  private static var residents: [UInt8] {
    var text = "date,region_code,region,residents\n"
    for year in years {
      for account in AccountList.all {
        let count = 120_000 + scattered(account.value) % 9_000_000 - Int64(year - 2012) * 100
        text += "\(year)-01-01,\(padded(account.value)),\(account.name),\(count)\n"
      }
    }
    return Array(text.utf8)
  }

  private static var prices: [UInt8] {
    Array(
      ("year,consumer_prices_annual_change_percent\n" + years.map { "\($0),1.\($0 % 10)5\n" }.joined()).utf8)
  }
}

/// Rows of a file.
private struct Rows {
  private(set) var bytes: [UInt8]
  private(set) var count = 0

  init(_ headings: String) { bytes = Array((headings + "\r\n").utf8) }

  mutating func add(_ start: [UInt8], _ middle: String, cents: Int64) {
    bytes += start
    bytes += middle.utf8
    let (euros, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
    bytes += "\(cents < 0 ? "-" : "")\(euros).\(rest < 10 ? "0" : "")\(rest)\r\n".utf8
    count += 1
  }
}
