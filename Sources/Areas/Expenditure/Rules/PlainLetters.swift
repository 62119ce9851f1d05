/// Texts as they are compared: lower case, letters and digits of ASCII alone, without accents.
package enum PlainLetters {
  /// "P. A. Bolzano" becomes "pabolzano", "Vallée" "vallee".
  package static func of(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x30...0x39, 0x61...0x7A: bytes.append(UInt8(scalar.value))
      case 0x41...0x5A: bytes.append(UInt8(scalar.value + 0x20))
      case 0xC0...0xC5, 0xE0...0xE5: bytes.append(UInt8(ascii: "a"))
      case 0xC7, 0xE7: bytes.append(UInt8(ascii: "c"))
      case 0xC8...0xCB, 0xE8...0xEB: bytes.append(UInt8(ascii: "e"))
      case 0xCC...0xCF, 0xEC...0xEF: bytes.append(UInt8(ascii: "i"))
      case 0xD1, 0xF1: bytes.append(UInt8(ascii: "n"))
      case 0xD2...0xD6, 0xF2...0xF6: bytes.append(UInt8(ascii: "o"))
      case 0xD9...0xDC, 0xF9...0xFC: bytes.append(UInt8(ascii: "u"))
      default: break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
