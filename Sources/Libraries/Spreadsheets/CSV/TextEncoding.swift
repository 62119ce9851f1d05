/// How the bytes of a CSV file stand for characters.
enum TextEncoding {
  /// - Parameter mark: how many bytes the byte order mark at the beginning has.
  case utf8(mark: Int)
  case windows1252

  /// Looks at the whole file: what is valid UTF-8 is UTF-8, everything else Windows-1252.
  /// - Throws: if it says to be UTF-8 and is not, or ends within a character.
  init(of file: InputFile, chunk: UnsafeMutableRawBufferPointer) throws(TableError) {
    var scan = UTF8Scan()
    var offset = 0
    let mark = try file.bytes(at: 0, count: 3) == [0xEF, 0xBB, 0xBF] ? 3 : 0
    while scan.isValid {
      let count = try file.read(into: chunk, at: offset)
      scan.take(UnsafeRawBufferPointer(rebasing: chunk[..<count]), at: offset)
      offset += count
      if count < chunk.count { break }
    }
    if scan.isValid, scan.isComplete {
      self = .utf8(mark: mark)
    } else if mark > 0 {
      throw TableError("begins as UTF-8 and is none at byte \(scan.characterOffset + 1)")
    } else if scan.isValid, scan.hasLongCharacters {
      throw TableError("ends within a character: it is cut")
    } else {
      self = .windows1252
    }
  }

  /// Of the bytes 0x80 to 0x9F in Windows-1252; 0: it has no such byte. All others are as in Latin 1.
  static let windowsCharacters: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
  ]
}
