/// Finds the cells of one row in the bytes of a CSV file.
struct CSVRowScan {
  /// Where a cell is, without the quotes around it.
  struct Cell {
    let start: Int
    let end: Int
    /// Whether quotes within it stand twice.
    let hasDoubledQuotes: Bool
  }

  /// Why there is no row.
  enum Obstacle: Error {
    /// The bytes end within the row, and the file goes on.
    case cut
    /// - Parameter column: counts from 1.
    case bad(column: Int, String)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let newline: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D

  /// Of the newest row.
  private(set) var cells: [Cell] = []
  /// How many lines the newest row has; more than one if there are line breaks within quotes.
  private(set) var lines = 1
  private let separator: UInt8
  private let limits: TableLimits
  /// By byte: whether a cell without quotes cannot go on with it.
  private let stops: [Bool]

  init(separator: UInt8, limits: TableLimits) {
    self.separator = separator
    self.limits = limits
    stops = (UInt8.min...UInt8.max).map { $0 == separator || [0, Self.newline, Self.carriageReturn].contains($0) }
  }

  /// Reads the row at the beginning of `bytes` into `cells`.
  /// - Parameter isLast: whether the file ends where they end.
  /// - Returns: where the next row begins.
  mutating func scan(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(Obstacle) -> Int {
    cells.removeAll(keepingCapacity: true)
    lines = 1
    var at = 0
    while true {
      guard cells.count < limits.columns else { throw bad("at most \(limits.columns) columns are read") }
      if at < bytes.count, bytes[at] == Self.quote {
        at = try quotedCell(bytes, from: at, isLast: isLast)
      } else {
        let start = at
        at = stops.withUnsafeBufferPointer { stops in
          var at = start
          while at < bytes.count, !stops[Int(bytes[at])] { at &+= 1 }
          return at
        }
        try add(Cell(start: start, end: at, hasDoubledQuotes: false))
      }
      guard at < bytes.count else {
        guard isLast else { throw .cut }
        return at
      }
      switch bytes[at] {
      case separator: at += 1
      case Self.newline: return at + 1
      case Self.carriageReturn:
        if at + 1 < bytes.count { return bytes[at + 1] == Self.newline ? at + 2 : at + 1 }
        guard isLast else { throw .cut }
        return at + 1
      case 0: throw .bad(column: cells.count, Self.nul)
      default: throw .bad(column: cells.count, "the quotes around the cell end, and the cell goes on")
      }
    }
  }

  /// - Returns: where the cell's closing quote ends.
  private mutating func quotedCell(
    _ bytes: UnsafeRawBufferPointer, from quote: Int, isLast: Bool
  ) throws(Obstacle) -> Int {
    let start = quote + 1
    var at = start
    var hasDoubledQuotes = false
    while at < bytes.count {
      switch bytes[at] {
      case Self.quote:
        if at + 1 == bytes.count, !isLast { throw .cut }
        guard at + 1 < bytes.count, bytes[at + 1] == Self.quote else {
          try add(Cell(start: start, end: at, hasDoubledQuotes: hasDoubledQuotes))
          return at + 1
        }
        hasDoubledQuotes = true
        at &+= 1
      case Self.newline where bytes[at - 1] != Self.carriageReturn: lines += 1
      case Self.carriageReturn: lines += 1
      case 0: throw bad(Self.nul)
      default: break
      }
      at &+= 1
    }
    guard at - start <= limits.cellBytes else {
      throw bad("a quote opens the cell and does not close it within \(limits.cellBytes) bytes")
    }
    throw isLast ? bad("a quote opens the cell and never closes it") : .cut
  }

  private mutating func add(_ cell: Cell) throws(Obstacle) {
    guard cell.end - cell.start <= limits.cellBytes else {
      throw bad("the cell has more than \(limits.cellBytes) bytes")
    }
    cells.append(cell)
  }

  /// The cell that is read is at fault.
  private func bad(_ message: String) -> Obstacle { .bad(column: cells.count + 1, message) }

  private static let nul = "has a NUL byte: the file is no text"
}
