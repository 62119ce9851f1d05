/// What the end of a ZIP archive says of its directory (APPNOTE.TXT 6.3.10, 4.3.14 to 4.3.16).
enum ZipDirectory {
  /// The end record, without the comment that may follow.
  private static let endBytes = 22
  private static let maxCommentBytes = 65_535
  private static let locatorBytes = 20
  private static let end64Bytes = 56
  /// Of the directory, for each entry: no name of a part is nearly as long.
  private static let maxBytesOfEntry = 1_024

  /// Looks at every record that may be the last, since they need not agree.
  /// - Throws: if there is none, or one that has more entries.
  static func check(_ file: InputFile, maxEntries: Int) throws(TableError) {
    let count = min(file.size, endBytes + maxCommentBytes + locatorBytes)
    let tail = try file.bytes(at: file.size - count, count: count)
    var hasEnd = false
    for at in stride(from: tail.count - endBytes, through: 0, by: -1)
    where number(tail, at: at, bytes: 4) == 0x0605_4B50 {
      hasEnd = true
      let locator = at - locatorBytes
      if locator >= 0, number(tail, at: locator, bytes: 4) == 0x0706_4B50 {
        try check64(file, at: number(tail, at: locator + 8, bytes: 8), maxEntries: maxEntries)
      } else {
        try check(
          entries: number(tail, at: at + 10, bytes: 2), bytes: number(tail, at: at + 12, bytes: 4), maxEntries)
      }
    }
    guard hasEnd else { throw TableError("is a damaged ZIP archive: its end is missing") }
  }

  private static func check64(_ file: InputFile, at offset: UInt64, maxEntries: Int) throws(TableError) {
    guard let offset = Int(exactly: offset), offset <= file.size - end64Bytes else {
      throw TableError("is a damaged ZIP archive: its directory is missing")
    }
    let record = try file.bytes(at: offset, count: end64Bytes)
    guard record.count == end64Bytes else { throw TableError("became shorter while it was read") }
    try check(entries: number(record, at: 32, bytes: 8), bytes: number(record, at: 40, bytes: 8), maxEntries)
  }

  private static func check(entries: UInt64, bytes: UInt64, _ maxEntries: Int) throws(TableError) {
    guard entries <= maxEntries, bytes <= maxEntries * maxBytesOfEntry else {
      throw TableError("is a ZIP archive with more than \(maxEntries) entries")
    }
  }

  /// Little endian.
  private static func number(_ bytes: [UInt8], at: Int, bytes count: Int) -> UInt64 {
    bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
