/// A row of a table.
package struct TableRow: Sendable, Equatable {
  /// Of a CSV file: the line where the row begins. Of a sheet: the row's number there. Both count from 1.
  package let number: Int
  /// As they are written, with whatever spaces they have; "" for what is empty.
  package let cells: [String]

  package init(number: Int, cells: [String]) {
    self.number = number
    self.cells = cells
  }
}
