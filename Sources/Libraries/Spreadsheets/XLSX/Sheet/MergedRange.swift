/// Cells that are shown as one: the first one's value is that of all.
struct MergedRange {
  let rows: ClosedRange<Int>
  let columns: ClosedRange<Int>

  /// - Parameter bytes: such as "A1:C2".
  init?(_ bytes: UnsafeRawBufferPointer) {
    let corners = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard corners.count <= 2, let first = CellReference(corners[0]),
      let last = CellReference(corners[corners.count - 1]),
      first.row <= last.row, first.column <= last.column
    else { return nil }
    rows = first.row...last.row
    columns = first.column...last.column
  }
}
