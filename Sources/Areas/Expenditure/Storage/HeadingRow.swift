internal import ExpenditureRules
internal import Spreadsheets

/// The row of a table that says which column is what. In a workbook, titles may stand above it, and parts of it may be
/// merged with the row above: it is the first row that has every heading.
struct HeadingRow {
  /// It is one of the first so many rows.
  static let rowsMax = 10

  /// Where there is no heading: the row that comes closest to one.
  private(set) var row: TableRow
  private(set) var headings: Result<FormHeadings, RowProblem>

  /// - Parameters:
  ///   - first: the first row of the table.
  ///   - table: what is below it. It is read up to the heading.
  /// - Throws: what is wrong with a row above the heading.
  init(_ first: TableRow, of table: any TableReader) throws(TableError) {
    (row, headings) = (first, Self.headings(first))
    guard table.format == .xlsx else { return }
    var count = 1
    while case .failure = headings, count < Self.rowsMax, let next = try table.next() {
      count += 1
      let further = Self.headings(next)
      if case .success = further {
        (row, headings) = (next, further)
      } else if FormHeadings.columnCount(next.cells) > FormHeadings.columnCount(row.cells) {
        (row, headings) = (next, further)
      }
    }
  }

  private static func headings(_ row: TableRow) -> Result<FormHeadings, RowProblem> {
    do throws(RowProblem) { return .success(try FormHeadings(row.cells)) } catch { return .failure(error) }
  }
}
