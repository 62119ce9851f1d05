/// Makes rows of the cells of a sheet.
final class SheetRows: XMLHandler {
  /// That are complete, and not yet taken.
  private(set) var ready: [TableRow] = []
  private let values: CellValues
  private let limits: TableLimits
  private var merged: MergedFill
  private var isInData = false
  /// The newest row; before the first one it is 0.
  private var row = 0
  /// Of the newest row, up to the newest cell that has something.
  private var cells: [String] = []
  /// The newest cell of the row.
  private var column = 0
  private var cell: Cell?
  private var text: SheetText
  private var rowCount = 0
  /// Of the widest row so far.
  private var width = 0

  /// A cell that is read.
  private struct Cell {
    let place: CellReference
    let kind: CellValues.Kind
    let style: Int
    var hasValue = false
    var hasFormula = false
  }

  init(_ values: CellValues, merged: [MergedRange], limits: TableLimits) {
    self.values = values
    self.limits = limits
    self.merged = MergedFill(merged, maxColumns: limits.columns)
    text = SheetText(maxBytes: limits.cellBytes)
  }

  func takeReady() -> [TableRow] {
    defer { ready = [] }
    return ready
  }

  func start(_ element: XMLElement) throws(TableError) {
    let name = element.name
    guard isInData else { return isInData = name == "sheetData" }
    if name == "c" {
      try startCell(element)
    } else if name == "row" {
      try startRow(element)
    } else if name == "v" {
      cell?.hasValue = true
      text.startValue()
    } else if name == "f" {
      cell?.hasFormula = true
    } else {
      text.start(name)
    }
  }

  func end(_ name: XMLName) throws(TableError) {
    guard isInData else { return }
    if name == "c" {
      try endCell()
    } else if name == "row" {
      try endRow()
    } else if name == "sheetData" {
      isInData = false
    } else {
      text.end(name)
    }
  }

  func text(_ bytes: UnsafeRawBufferPointer) throws(TableError) {
    if cell != nil { text.add(bytes) }
  }

  // MARK: Rows and cells

  private func startRow(_ element: XMLElement) throws(TableError) {
    let next = element["r"] == nil ? row + 1 : element.number("r") ?? 0
    guard next > row, next <= CellReference.maxRow else {
      throw TableError(row: row + 1, "is row \"\(element.text("r") ?? "")\", which does not follow row \(row)")
    }
    row = next
    column = 0
    cells.removeAll(keepingCapacity: true)
  }

  private func startCell(_ element: XMLElement) throws(TableError) {
    guard row > 0 else { throw TableError("has a cell outside rows") }
    var next = column + 1
    if let reference = element["r"] {
      guard let place = CellReference(reference), place.row == row, place.column > column else {
        throw TableError(row: row, column: next, "is cell \"\(element.text("r") ?? "")\", which does not follow there")
      }
      next = place.column
    }
    guard next <= CellReference.maxColumn else { throw TableError(row: row, column: next, "stands beyond a sheet") }
    column = next
    guard let kind = element["t"] == nil ? .number : element.text("t").flatMap({ CellValues.Kind(rawValue: $0) }) else {
      throw TableError(row: row, column: column, "is of an unknown type \"\(element.text("t") ?? "")\"")
    }
    cell = Cell(place: CellReference(column: column, row: row), kind: kind, style: element.number("s") ?? 0)
    text.begin()
  }

  private func endCell() throws(TableError) {
    guard let cell else { return }
    self.cell = nil
    guard !text.isTooLong else {
      throw TableError(row: row, column: column, "the cell has more than \(limits.cellBytes) bytes")
    }
    guard cell.hasValue || !cell.hasFormula else {
      throw TableError(row: row, column: column, "has a formula without its result: save it with a spreadsheet program")
    }
    let value = try values.text(text.bytes, cell.kind, style: cell.style, at: cell.place)
    guard !value.isEmpty else { return }
    guard column <= limits.columns else {
      throw TableError(row: row, column: column, "at most \(limits.columns) columns are read")
    }
    while cells.count < column - 1 { cells.append("") }
    cells.append(value)
  }

  private func endRow() throws(TableError) {
    guard !cells.isEmpty else { return }
    try merged.fill(&cells, row: row)
    rowCount += 1
    guard rowCount <= limits.rows else { throw TableError(row: row, "at most \(limits.rows) rows are read") }
    width = max(width, cells.count)
    while cells.count < width { cells.append("") }
    ready.append(TableRow(number: row, cells: cells))
    cells = []
  }
}
