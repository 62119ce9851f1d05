/// A table in a file: CSV as publishers and spreadsheet programs write it, or the first visible sheet of an XLSX
/// workbook.
package enum TableFile {
  /// - Parameters:
  ///   - path: of a regular file, which stays as it is while it is read. Its content says what it is, not its name.
  ///   - limits: beyond which it is refused.
  /// - Throws: if it cannot be read, is neither CSV nor XLSX, or is refused.
  package static func open(_ path: String, limits: TableLimits = TableLimits()) throws(TableError) -> any TableReader {
    let file = try InputFile(path, maxBytes: limits.fileBytes)
    let head = try file.bytes(at: 0, count: 8)
    if head.starts(with: [0x50, 0x4B]) { return try XLSXReader(file, limits: limits) }
    if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
      throw TableError("is an old .xls workbook, or one with a password: save it as .xlsx or CSV, without a password")
    }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      throw TableError("is text in UTF-16: save it as UTF-8")
    }
    return try CSVReader(file, limits: limits)
  }
}
