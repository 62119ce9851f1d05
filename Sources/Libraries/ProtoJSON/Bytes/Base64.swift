// RFC 4648.

extension GrowingBuffer<UInt8> {
  /// The standard alphabet, with padding.
  mutating func appendBase64(_ bytes: UnsafeRawBufferPointer) {
    let place = extend(by: (bytes.count + 2) / 3 * 4)
    var (from, to) = (0, 0)
    while from < bytes.count {
      let left = bytes.count - from
      let second = left > 1 ? UInt32(bytes[from + 1]) : 0
      let third = left > 2 ? UInt32(bytes[from + 2]) : 0
      let group = UInt32(bytes[from]) << 16 | second << 8 | third
      place[to] = base64Letter(group >> 18)
      place[to + 1] = base64Letter(group >> 12)
      place[to + 2] = left > 1 ? base64Letter(group >> 6) : UInt8(ascii: "=")
      place[to + 3] = left > 2 ? base64Letter(group) : UInt8(ascii: "=")
      from += 3
      to += 4
    }
  }

  /// Appends the bytes that a text says in the standard or the URL-safe alphabet, with padding or without; false if it
  /// is no such text, and then some of the bytes may have been appended.
  mutating func appendDecodedBase64(_ text: UnsafeRawBufferPointer) -> Bool {
    var count = text.count
    if count > 0, count % 4 == 0, text[count - 1] == UInt8(ascii: "=") {
      count -= text[count - 2] == UInt8(ascii: "=") ? 2 : 1
    }
    guard count % 4 != 1 else { return false }
    var group: UInt32 = 0
    for index in 0..<count {
      guard let value = base64Value(text[index]) else { return false }
      group = group << 6 | value
      if index % 4 == 3 {
        append(UInt8(truncatingIfNeeded: group >> 16))
        append(UInt8(truncatingIfNeeded: group >> 8))
        append(UInt8(truncatingIfNeeded: group))
      }
    }
    // Bits that fill up the last letter are not looked at, as json_format does.
    switch count % 4 {
    case 2: append(UInt8(truncatingIfNeeded: group >> 4))
    case 3:
      append(UInt8(truncatingIfNeeded: group >> 10))
      append(UInt8(truncatingIfNeeded: group >> 2))
    default: break
    }
    return true
  }
}

@inline(__always)
private func base64Letter(_ group: UInt32) -> UInt8 {
  let value = UInt8(truncatingIfNeeded: group & 63)
  return switch value {
  case 0..<26: UInt8(ascii: "A") + value
  case 26..<52: UInt8(ascii: "a") + (value - 26)
  case 52..<62: UInt8(ascii: "0") + (value - 52)
  case 62: UInt8(ascii: "+")
  default: UInt8(ascii: "/")
  }
}

@inline(__always)
private func base64Value(_ letter: UInt8) -> UInt32? {
  switch letter {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
  case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
  case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
  default: nil
  }
}
