/// Makes text of what a cell stores.
struct CellValues {
  /// What a cell's attribute `t` says (ISO/IEC 29500-1, 18.18.11, ST_CellType).
  enum Kind: String {
    case number = "n"
    case sharedString = "s"
    case text = "str"
    case inlineText = "inlineStr"
    case boolean = "b"
    case date = "d"
    case error = "e"
  }

  let sharedStrings: [String]
  /// By style.
  let formats: [NumberFormat]
  let isFrom1904: Bool

  /// - Parameter place: of the cell, for the errors.
  func text(
    _ stored: [UInt8], _ kind: Kind, style: Int, at place: CellReference
  ) throws(TableError) -> String {
    func bad(_ message: String) -> TableError { TableError(row: place.row, column: place.column, message) }
    switch kind {
    case .text, .inlineText: return SheetText.unescaped(stored)
    case .error: throw bad("has the error \(String(decoding: stored, as: UTF8.self))")
    default: break
    }
    let value = Self.trimmed(stored)
    if value.isEmpty { return "" }
    switch kind {
    case .sharedString:
      guard let index = Int(String(decoding: value, as: UTF8.self)), sharedStrings.indices.contains(index) else {
        throw bad("names a text that the workbook does not have")
      }
      return sharedStrings[index]
    case .boolean:
      switch String(decoding: value, as: UTF8.self) {
      case "1", "true": return "TRUE"
      case "0", "false": return "FALSE"
      default: throw bad("is neither true nor false")
      }
    case .date:
      let text = String(decoding: value, as: UTF8.self)
      return text.contains("T00:00:00") ? String(text.prefix(10)) : text
    default:
      guard let number = StoredNumber.plain(value) else { throw bad("stores a number that is none") }
      guard formats.indices.contains(style), formats[style] != .number else { return number }
      let withTime = formats[style] == .dateAndTime
      return SheetDay.text(number, withTime: withTime, isFrom1904: isFrom1904) ?? number
    }
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes[...]
    while let first = rest.first, first <= 0x20 { rest.removeFirst() }
    while let last = rest.last, last <= 0x20 { rest.removeLast() }
    return rest
  }
}
