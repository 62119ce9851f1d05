/// What stands between the cells of a CSV file, told from its first rows.
struct SeparatorGuess {
  static let candidates = [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: ",")]

  let separator: UInt8

  /// The candidate that stands most often in the first row, outside quotes. Where more than one stands there, one that
  /// stands as often in the second row goes first: "Amount (net, gross);Year" has both.
  /// - Parameter bytes: the beginning of the file, as many rows of it as there are.
  init(_ bytes: UnsafeRawBufferPointer) {
    let rows = Self.counts(bytes)
    let found = Self.candidates.indices.filter { rows[0][$0] > 0 }
    let steady = found.filter { rows[1][$0] == rows[0][$0] }
    // The first of the most frequent: `max` gives the last.
    let best = (steady.isEmpty ? found : steady).reversed().max { rows[0][$0] < rows[0][$1] }
    separator = Self.candidates[best ?? 0]
  }

  /// How often each candidate stands in the first two rows that are not empty.
  private static func counts(_ bytes: UnsafeRawBufferPointer) -> [[Int]] {
    var rows = [[0, 0, 0], [0, 0, 0]]
    var row = 0
    var isRowEmpty = true
    var isQuoted = false
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, byte == 0x0A || byte == 0x0D {
        if !isRowEmpty { row += 1 }
        if row == rows.count { break }
        isRowEmpty = true
        continue
      }
      isRowEmpty = false
      if !isQuoted, let index = candidates.firstIndex(of: byte) { rows[row][index] += 1 }
    }
    return rows
  }
}
