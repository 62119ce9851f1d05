/// Says whether bytes are UTF-8 (Unicode 16, table 3-7), chunk by chunk.
struct UTF8Scan {
  /// So far.
  private(set) var isValid = true
  /// Whether a character of more than one byte was complete.
  private(set) var hasLongCharacters = false
  /// Where in the file the newest character of more than one byte begins.
  private(set) var characterOffset = 0
  /// How many bytes the character still needs.
  private var missing = 0
  /// What its next byte may be.
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Whether no character is cut.
  var isComplete: Bool { missing == 0 }

  /// - Parameter offset: where the chunk begins in the file.
  mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    var at = 0
    while at < bytes.count {
      if missing == 0 {
        while at &+ 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          at &+= 8
        }
        guard at < bytes.count else { return }
      }
      let byte = bytes[at]
      if missing > 0 {
        guard byte >= lowest, byte <= highest else { return isValid = false }
        (lowest, highest) = (0x80, 0xBF)
        missing -= 1
        if missing == 0 { hasLongCharacters = true }
      } else if byte >= 0x80 {
        characterOffset = offset + at
        guard begin(byte) else { return isValid = false }
      }
      at &+= 1
    }
  }

  private mutating func begin(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, lowest) = (2, 0xA0)
    case 0xED: (missing, highest) = (2, 0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, lowest) = (3, 0x90)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, highest) = (3, 0x8F)
    default: return false
    }
    return true
  }
}
