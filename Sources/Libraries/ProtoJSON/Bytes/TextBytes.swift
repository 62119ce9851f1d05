/// What the bytes of a text are, and where they need a closer look.
enum TextBytes {
  /// How many bytes from the start on are ASCII characters that JSON writes as they are: none is a control character, a
  /// quote or a backslash.
  @inline(__always)
  static func plainCount(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var index = 0
    while index + 8 <= count {
      let word = UInt64(littleEndian: UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
      let marks = suspects(word)
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count, isPlain(start[index]) { index += 1 }
    return index
  }

  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// The high bit of each byte that is not plain; above the first of them, others may be marked by mistake. The tests
  /// for "less than" and "is zero" are those of Sean Anderson's "Bit Twiddling Hacks".
  @inline(__always)
  private static func suspects(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let control = word &- (ones &* 0x20)
    return (control | (quotes &- ones) | (backslashes &- ones) | word) & (ones &* 0x80)
  }

  /// Whether the bytes are UTF-8: no surrogates, nothing above U+10FFFF, no longer form than needed.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do {
      _ = try UTF8Span(validating: bytes.assumingMemoryBound(to: UInt8.self).span)
      return true
    } catch { return false }
  }

  static func hasNUL(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.contains(0) }

  static func equal(_ left: UnsafeRawBufferPointer, _ right: StaticString) -> Bool {
    left.count == right.utf8CodeUnitCount
      && left.elementsEqual(UnsafeBufferPointer(start: right.utf8Start, count: right.utf8CodeUnitCount))
  }
}
