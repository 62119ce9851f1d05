internal import FoundationEssentials

/// Bytes as RFC 7515, 2 writes them: base64 for addresses, without padding.
enum Base64URL {
  /// - Returns: nil if the text is not what the bytes are written as, and nothing else.
  static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var base64 = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        base64.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "-"): base64 += "+"
      case UInt8(ascii: "_"): base64 += "/"
      default: return nil
      }
    }
    base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    // Bits after the last byte would make two texts of one.
    guard let data = Data(base64Encoded: base64), data.base64EncodedString() == base64 else { return nil }
    return Array(data)
  }
}
