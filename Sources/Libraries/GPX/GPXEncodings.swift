internal import CExpat

/// Encodings of one byte a character that Expat does not know by itself: those that programs for Windows, and after the euro
/// those for Western Europe, declare.
enum GPXEncodings {
  /// What Windows-1252 has from 0x80 to 0x9F; -1: nothing.
  private static let windows: [Int32] = [
    0x20AC, -1, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, -1, 0x017D, -1,
    -1, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, -1, 0x017E,
    0x0178,
  ]
  /// What ISO 8859-15 has where it differs from ISO 8859-1.
  private static let latin9: [Int: Int32] = [
    0xA4: 0x20AC, 0xA6: 0x0160, 0xA8: 0x0161, 0xB4: 0x017D, 0xB8: 0x017E, 0xBC: 0x0152, 0xBD: 0x0153, 0xBE: 0x0178,
  ]

  /// Tells Expat the characters of an encoding.
  /// - Returns: 1, or 0 for an encoding that is not known here either.
  static func fill(_ name: UnsafePointer<CChar>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?) -> Int32 {
    guard let name, let encoding else { return 0 }
    let characters: [Int32]
    switch String(cString: name).lowercased() {
    case "windows-1252", "cp1252": characters = (0..<256).map { 0x80...0x9F ~= $0 ? windows[$0 - 0x80] : Int32($0) }
    case "iso-8859-15", "latin-9": characters = (0..<256).map { latin9[$0] ?? Int32($0) }
    default: return 0
    }
    // In C it is an array of 256 ints, which Swift has as a tuple.
    withUnsafeMutableBytes(of: &encoding.pointee.map) { $0.copyBytes(from: characters.withUnsafeBytes { Array($0) }) }
    encoding.pointee.data = nil
    encoding.pointee.convert = nil
    encoding.pointee.release = nil
    return 1
  }
}
