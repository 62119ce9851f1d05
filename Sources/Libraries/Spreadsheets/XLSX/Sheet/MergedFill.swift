/// Gives the cells of merged ranges their value, row by row.
struct MergedFill {
  private struct Active {
    let range: MergedRange
    let columns: ClosedRange<Int>
    let value: String
  }

  private let ranges: [MergedRange]
  private let maxColumns: Int
  /// Of `ranges`: how many begin above the next row.
  private var begun = 0
  /// Those that the newest row crosses.
  private var active: [Active] = []

  init(_ ranges: [MergedRange], maxColumns: Int) {
    self.ranges = ranges
    self.maxColumns = maxColumns
  }

  /// - Parameter cells: of the row; more are added where a merged range goes beyond them.
  mutating func fill(_ cells: inout [String], row: Int) throws(TableError) {
    active.removeAll { $0.range.rows.upperBound < row }
    while begun < ranges.count, ranges[begun].rows.lowerBound <= row {
      let range = ranges[begun]
      begun += 1
      let first = range.columns.lowerBound
      // A title may be merged over the whole width of a sheet: beyond the limit it ends where the row does.
      let last = range.columns.upperBound <= maxColumns ? range.columns.upperBound : max(first, cells.count)
      guard range.rows.upperBound >= row, last <= maxColumns else { continue }
      // Where the row with the value is missing, there is none.
      let isHere = range.rows.lowerBound == row && first <= cells.count
      active.append(Active(range: range, columns: first...last, value: isHere ? cells[first - 1] : ""))
    }
    guard active.reduce(0, { $0 + $1.columns.count }) <= maxColumns else {
      throw TableError(row: row, "its merged cells overlap")
    }
    for merged in active {
      while cells.count < merged.columns.upperBound { cells.append("") }
      for column in merged.columns { cells[column - 1] = merged.value }
    }
  }
}
