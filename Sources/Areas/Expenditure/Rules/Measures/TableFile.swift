internal import Domain

/// A table as a file that spreadsheets open: UTF-8 with its mark, lines ended by CR LF. First stand notes, a key and a
/// text each; then an empty line, the headings, and the rows.
package struct TableFile: Sendable {
  /// How numbers and cells are told apart.
  package enum Form: Sendable {
    /// 1234,50;"a; b"
    case italian
    /// 1234.50,"a, b"
    case english
  }

  package enum Cell: Sendable, Hashable {
    case empty
    /// Words: a spreadsheet must not take them for a formula.
    case text(String)
    /// A whole number.
    case whole(Int64)
    /// Hundredths, with two decimals.
    case hundredths(Int64)
    /// Millionths as percent, with four decimals.
    case percent(millionths: Int64)
  }

  private let form: Form
  private var lines: [String] = []

  package init(_ form: Form) { self.form = form }

  package mutating func addNote(_ key: String, _ text: String) { addRow([.text(key), .text(text)]) }

  package mutating func addEmptyLine() { lines.append("") }

  package mutating func addRow(_ cells: [Cell]) {
    lines.append(cells.map { cell($0) }.joined(separator: form == .italian ? ";" : ","))
  }

  package var bytes: [UInt8] {
    [0xEF, 0xBB, 0xBF] + lines.joined(separator: "\r\n").utf8 + (lines.isEmpty ? [] : [0x0D, 0x0A])
  }

  private func cell(_ cell: Cell) -> String {
    switch cell {
    case .empty: ""
    case .text(let text): quoted(SpreadsheetText.plain(text))
    case .whole(let number): "\(number)"
    case .hundredths(let number): decimal(number, places: 2)
    case .percent(let millionths): decimal(millionths, places: 4)
    }
  }

  private func decimal(_ number: Int64, places: Int) -> String {
    let digits = "\(number.magnitude)"
    let padded = String(repeating: "0", count: max(places + 1 - digits.utf8.count, 0)) + digits
    let sign = number < 0 ? "-" : ""
    return "\(sign)\(padded.dropLast(places))\(form == .italian ? "," : ".")\(padded.suffix(places))"
  }

  private func quoted(_ text: String) -> String {
    let separator = UInt8(ascii: form == .italian ? ";" : ",")
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x0A || $0 == 0x0D || $0 == separator }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
