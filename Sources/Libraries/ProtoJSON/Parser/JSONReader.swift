internal import WireCodec

/// A place in a JSON text (RFC 8259, in UTF-8), from which its parts are read. It takes nothing that the RFC does not:
/// no comments, no commas at the end, no leading zeros, no control characters in strings, no lone surrogates.
struct JSONReader: ~Copyable {
  private(set) var at: UnsafePointer<UInt8>
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  /// The last string that was not simply a part of the text.
  private var unescaped = GrowingBuffer<UInt8>(capacity: 64)

  init(_ json: UnsafeRawBufferPointer) {
    let cursor = WireCursor(json)
    (at, start, end) = (cursor.at, cursor.at, cursor.end)
  }

  /// What follows is not what JSON has at this place.
  var malformed: WireError {
    WireError(
      field: "", problem: at < end ? "is not valid JSON at byte \(at - start)" : "is not valid JSON: it ends early")
  }

  /// The byte after spaces; 0 at the end, which is no character of JSON.
  @inline(__always)
  mutating func peek() -> UInt8 {
    while at < end {
      let byte = at.pointee
      // Space, tab, line feed, carriage return.
      guard byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return byte }
      at += 1
    }
    return 0
  }

  /// Goes on behind a character, if it follows after spaces.
  @inline(__always)
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  @inline(__always)
  mutating func expect(_ character: Unicode.Scalar) throws(WireError) {
    guard take(character) else { throw malformed }
  }

  /// Whether another element of an object or array follows the one that was read; takes the comma or the closing mark.
  @inline(__always)
  mutating func more(until close: Unicode.Scalar) throws(WireError) -> Bool {
    if take(",") { return true }
    try expect(close)
    return false
  }

  /// Goes on behind `true`, `false` or `null`.
  mutating func word(_ word: StaticString) throws(WireError) {
    let count = word.utf8CodeUnitCount
    guard end - at >= count, TextBytes.equal(UnsafeRawBufferPointer(start: at, count: count), word) else {
      throw malformed
    }
    at += count
  }

  /// Goes on behind `null`, if it follows.
  @inline(__always)
  mutating func takeNull() throws(WireError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try word("null")
    return true
  }

  /// To read something again from where `at` was.
  mutating func rewind(to place: UnsafePointer<UInt8>) { at = place }

  /// Nothing but spaces may follow.
  mutating func expectEnd() throws(WireError) {
    guard peek() == 0, at == end else { throw malformed }
  }

  // MARK: Strings

  /// The string that begins with the quote that follows. Good until the next string is read.
  @inline(__always)
  mutating func string() throws(WireError) -> UnsafeRawBufferPointer {
    try expect("\"")
    let begin = at
    at += TextBytes.plainCount(at, end - at)
    if at < end, at.pointee == UInt8(ascii: "\"") {
      at += 1
      return UnsafeRawBufferPointer(start: begin, count: at - 1 - begin)
    }
    return try longString(from: begin)
  }

  private mutating func longString(from start: UnsafePointer<UInt8>) throws(WireError) -> UnsafeRawBufferPointer {
    var begin = start
    var hasEscapes = false
    unescaped.removeLast(to: 0)
    while true {
      at += TextBytes.plainCount(at, end - at)
      guard at < end else { throw malformed }
      switch at.pointee {
      case UInt8(ascii: "\""):
        at += 1
        if hasEscapes { unescaped.append(begin, at - 1 - begin) }
        let text =
          hasEscapes
          ? UnsafeRawBufferPointer(unescaped.elements()) : UnsafeRawBufferPointer(start: begin, count: at - 1 - begin)
        guard TextBytes.isUTF8(text) else { throw .notUTF8 }
        return text
      case UInt8(ascii: "\\"):
        unescaped.append(begin, at - begin)
        hasEscapes = true
        try escape()
        begin = at
      case 0..<0x20: throw malformed
      default: at += 1
      }
    }
  }

  private mutating func escape() throws(WireError) {
    guard end - at >= 2 else { throw malformed }
    at += 2
    switch at[-1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(at[-1])
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"): try appendScalar()
    default:
      at -= 2
      throw malformed
    }
  }

  /// A character by its number in UTF-16; those above U+FFFF are written as two.
  private mutating func appendScalar() throws(WireError) {
    let first = try hexadecimal()
    var value = UInt32(first)
    if UTF16.isLeadSurrogate(first) {
      guard end - at >= 6, at[0] == UInt8(ascii: "\\"), at[1] == UInt8(ascii: "u") else { throw malformed }
      at += 2
      let second = try hexadecimal()
      guard UTF16.isTrailSurrogate(second) else { throw malformed }
      value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    }
    // A second half alone is no scalar.
    guard let scalar = Unicode.Scalar(value) else { throw malformed }
    for byte in UTF8.encode(scalar)! { unescaped.append(byte) }
  }

  private mutating func hexadecimal() throws(WireError) -> UInt16 {
    guard end - at >= 4 else { throw malformed }
    var value: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch at.pointee {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = at.pointee - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = at.pointee - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = at.pointee - UInt8(ascii: "A") + 10
      default: throw malformed
      }
      value = value << 4 | UInt16(digit)
      at += 1
    }
    return value
  }

  // MARK: Numbers, and what is not looked at

  /// The number that follows.
  @inline(__always)
  mutating func number() throws(WireError) -> JSONNumber {
    guard let number = JSONNumber(at, end - at) else { throw malformed }
    at += number.length
    return number
  }

  /// Goes on behind a value, whatever it is.
  mutating func skipValue(depth: Int) throws(WireError) {
    guard depth <= nestingLimit else { throw .tooDeep }
    switch peek() {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case UInt8(ascii: "["):
      at += 1
      if take("]") { return }
      repeat { try skipValue(depth: depth + 1) } while try more(until: "]")
    case UInt8(ascii: "{"):
      at += 1
      if take("}") { return }
      repeat {
        _ = try string()
        try expect(":")
        try skipValue(depth: depth + 1)
      } while try more(until: "}")
    default: _ = try number()
    }
  }
}
