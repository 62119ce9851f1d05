/// The formats of a workbook's numbers.
final class Styles: XMLHandler {
  private static let maxCount = 65_536

  private enum Place {
    case formats
    case cells
  }

  private var formats: [Int: NumberFormat] = [:]
  /// By style: the number of its format.
  private var cells: [Int] = []
  private var place: Place?

  /// - Parameter name: nil: the workbook has none.
  init(_ name: PartName?, in archive: ZipArchive) throws(TableError) {
    guard let name else { return }
    guard let entry = try archive.open(name.text) else { throw TableError("has no part \(name.text)") }
    try XMLPart(entry, for: self).readAll()
  }

  /// By style.
  var numberFormats: [NumberFormat] { cells.map { formats[$0] ?? NumberFormat(builtIn: $0) } }

  func start(_ element: XMLElement) throws(TableError) {
    if element.name == "numFmts" {
      place = .formats
    } else if element.name == "cellXfs" {
      place = .cells
    } else if place == .formats, element.name == "numFmt" {
      guard let id = element.number("numFmtId"), let code = element.text("formatCode") else { return }
      formats[id] = NumberFormat(code: code)
    } else if place == .cells, element.name == "xf" {
      cells.append(element.number("numFmtId") ?? 0)
    }
    guard max(formats.count, cells.count) <= Self.maxCount else { throw TableError("has too many styles") }
  }

  func end(_ name: XMLName) throws(TableError) {
    if name == "numFmts" || name == "cellXfs" { place = nil }
  }
}
