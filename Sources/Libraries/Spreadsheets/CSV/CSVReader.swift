/// Reads a CSV file, a chunk at a time. The first row that is not empty says how many cells each row has.
final class CSVReader: TableReader {
  private static let chunkBytes = 512 << 10

  let format = TableFormat.csv
  private let file: InputFile
  private let limits: TableLimits
  private let text: CSVText
  private var scan: CSVRowScan
  /// Holds the row that is read. Grows until it holds the longest that the limits allow.
  private var buffer: UnsafeMutableRawBufferPointer
  /// What of `buffer` is still to be read.
  private var unread = 0..<0
  /// Where in the file `buffer` goes on.
  private var offset: Int
  private var line = 1
  private var rowCount = 0
  /// How many cells a row has, and without the empty ones at the heading's end; nil before the heading.
  private var width: (all: Int, least: Int)?
  private var failure: TableError?

  init(_ file: InputFile, limits: TableLimits) throws(TableError) {
    self.file = file
    self.limits = limits
    buffer = .allocate(byteCount: Self.chunkBytes, alignment: 16)
    let encoding: TextEncoding
    let guess: SeparatorGuess
    do throws(TableError) {
      encoding = try TextEncoding(of: file, chunk: buffer)
      offset = if case .utf8(let mark) = encoding { mark } else { 0 }
      unread = 0..<(try file.read(into: buffer, at: offset))
      guess = SeparatorGuess(UnsafeRawBufferPointer(rebasing: buffer[unread]))
    } catch {
      buffer.deallocate()
      throw error
    }
    offset += unread.count
    text = CSVText(encoding)
    scan = CSVRowScan(separator: guess.separator, limits: limits)
  }

  deinit { buffer.deallocate() }

  func next() throws(TableError) -> TableRow? {
    if let failure { throw failure }
    do throws(TableError) { return try nextRow() } catch {
      failure = error
      throw error
    }
  }

  private func nextRow() throws(TableError) -> TableRow? {
    while try !isAtEnd() {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[unread])
      let end: Int
      do throws(CSVRowScan.Obstacle) { end = try scan.scan(bytes, isLast: offset >= file.size) } catch {
        switch error {
        case .cut: try readMore()
        case .bad(let column, let message): throw TableError(row: line, column: column, message)
        }
        continue
      }
      let number = line
      line += scan.lines
      unread = unread.lowerBound + end..<unread.upperBound
      if scan.cells.contains(where: { $0.start < $0.end }) { return try row(number, bytes) }
    }
    return nil
  }

  private func isAtEnd() throws(TableError) -> Bool {
    if unread.isEmpty, offset < file.size { try readMore() }
    return unread.isEmpty
  }

  /// Moves what is unread to the front of the buffer, and fills what remains of it.
  private func readMore() throws(TableError) {
    let kept = unread.count
    if kept == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: kept * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
      buffer.deallocate()
      buffer = larger
    } else if unread.lowerBound > 0, kept > 0 {
      buffer.baseAddress!.copyMemory(from: buffer.baseAddress! + unread.lowerBound, byteCount: kept)
    }
    // Not beyond what was checked: a file may grow.
    let room = min(buffer.count - kept, file.size - offset)
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<kept + room]), at: offset)
    guard count == room else { throw TableError("became shorter while it was read") }
    unread = 0..<kept + count
    offset += count
  }

  private func row(_ number: Int, _ bytes: UnsafeRawBufferPointer) throws(TableError) -> TableRow {
    rowCount += 1
    guard rowCount <= limits.rows else { throw TableError(row: number, "at most \(limits.rows) rows are read") }
    let count = scan.cells.count
    let filled = width.map { min(count, $0.all) } ?? count
    var cells: [String] = []
    cells.reserveCapacity(width?.all ?? count)
    for (index, cell) in scan.cells[..<filled].enumerated() {
      let part = UnsafeRawBufferPointer(rebasing: bytes[cell.start..<cell.end])
      guard let text = text.text(part, hasDoubledQuotes: cell.hasDoubledQuotes) else {
        throw TableError(row: number, column: index + 1, "has a byte that is no character, in UTF-8 or Windows-1252")
      }
      cells.append(text)
    }
    guard let width else {
      width = (count, scan.cells.lastIndex { $0.start < $0.end }.map { $0 + 1 } ?? 0)
      return TableRow(number: number, cells: cells)
    }
    guard count >= width.least else {
      throw TableError(row: number, "has \(count) cells; the heading has \(width.least): the row is cut")
    }
    if let extra = scan.cells[filled...].firstIndex(where: { $0.start < $0.end }) {
      throw TableError(row: number, column: extra + 1, "stands beyond the heading, which has \(width.all) cells")
    }
    while cells.count < width.all { cells.append("") }
    return TableRow(number: number, cells: cells)
  }
}
