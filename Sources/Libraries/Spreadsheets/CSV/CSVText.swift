/// Makes text of the bytes of a cell.
struct CSVText {
  private static let quote = UInt8(ascii: "\"")

  private let isUTF8: Bool

  init(_ encoding: TextEncoding) {
    if case .utf8 = encoding { isUTF8 = true } else { isUTF8 = false }
  }

  /// nil: a byte stands for no character.
  func text(_ bytes: UnsafeRawBufferPointer, hasDoubledQuotes: Bool) -> String? {
    if !hasDoubledQuotes, isUTF8 || bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    var isDefined = true
    // In UTF-8 no character of Windows-1252 has more than three bytes.
    let text = String(unsafeUninitializedCapacity: bytes.count * (isUTF8 ? 1 : 3)) { buffer in
      var count = 0
      var wasQuote = false
      for byte in bytes {
        let isSecondQuote = wasQuote && byte == Self.quote
        wasQuote = byte == Self.quote && !isSecondQuote
        if hasDoubledQuotes, isSecondQuote { continue }
        if isUTF8 || byte < 0x80 {
          buffer[count] = byte
          count += 1
          continue
        }
        let scalar = byte < 0xA0 ? TextEncoding.windowsCharacters[Int(byte - 0x80)] : UInt16(byte)
        if scalar == 0 { isDefined = false }
        count += Self.encode(scalar, to: buffer, at: count)
      }
      return count
    }
    return isDefined ? text : nil
  }

  /// - Parameter scalar: from U+0080 on, no surrogate; 0 becomes two bytes too.
  /// - Returns: how many bytes of UTF-8 it has.
  private static func encode(_ scalar: UInt16, to buffer: UnsafeMutableBufferPointer<UInt8>, at: Int) -> Int {
    let last = UInt8(scalar & 0x3F) | 0x80
    if scalar < 0x800 {
      buffer[at] = UInt8(scalar >> 6) | 0xC0
      buffer[at + 1] = last
      return 2
    }
    buffer[at] = UInt8(scalar >> 12) | 0xE0
    buffer[at + 1] = UInt8(scalar >> 6 & 0x3F) | 0x80
    buffer[at + 2] = last
    return 3
  }
}
