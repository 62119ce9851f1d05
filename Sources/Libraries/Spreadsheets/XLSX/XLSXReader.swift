/// Reads the first visible sheet of an XLSX workbook (ISO/IEC 29500-1), a chunk at a time. Each row has as many
/// cells as the widest one so far.
final class XLSXReader: TableReader {
  let format = TableFormat.xlsx
  private let rows: SheetRows
  private let sheet: XMLPart
  /// In reverse.
  private var ready: [TableRow] = []
  private var isAtEnd = false
  private var failure: TableError?

  init(_ file: InputFile, limits: TableLimits) throws(TableError) {
    let archive = try ZipArchive(file, limits: limits)
    let workbook = try Workbook(in: archive)
    let name = try workbook.sheet().text
    let values = CellValues(
      sharedStrings: try SharedStrings(workbook.sharedStrings, in: archive, limits: limits).texts,
      formats: try Styles(workbook.styles, in: archive).numberFormats, isFrom1904: workbook.isFrom1904)
    guard let first = try archive.open(name) else { throw TableError("has no part \(name)") }
    let merged = try MergedRanges(first).all
    guard let second = try archive.open(name) else { throw TableError("has no part \(name)") }
    rows = SheetRows(values, merged: merged, limits: limits)
    sheet = XMLPart(second, for: rows)
  }

  func next() throws(TableError) -> TableRow? {
    while ready.isEmpty {
      if let failure { throw failure }
      if isAtEnd { return nil }
      // The rows before an error are good.
      do throws(TableError) { isAtEnd = try !sheet.step() } catch { failure = error }
      ready = rows.takeReady().reversed()
    }
    return ready.removeLast()
  }
}
