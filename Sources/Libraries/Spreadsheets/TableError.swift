/// What is wrong in a file, and where.
package struct TableError: Error, Equatable, CustomStringConvertible {
  /// As `TableRow.number`; nil: the file as a whole.
  package let row: Int?
  /// Counts from 1; nil: the row as a whole.
  package let column: Int?
  package let message: String

  package init(row: Int? = nil, column: Int? = nil, _ message: String) {
    self.row = row
    self.column = column
    self.message = message
  }

  package var description: String {
    switch (row, column) {
    case (let row?, let column?): "row \(row), column \(column): \(message)"
    case (let row?, nil): "row \(row): \(message)"
    case (nil, _): message
    }
  }
}
