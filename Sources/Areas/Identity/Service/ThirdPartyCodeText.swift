internal import Crypto
internal import ServiceKit

/// The code with which a third party registers: 16 characters that are hard to take for each other, 79 random bits.
package enum ThirdPartyCodeText {
  /// Letters and digits without 0, 1, I, L and O. 31 of them.
  private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ".utf8)
  static let problem = "must be the 16 letters and digits of a code"

  /// A new code.
  package static func make() -> String {
    let places = (0..<16).map { _ in Int(SecureRandom.number(below: UInt32(alphabet.count))) }
    return String(decoding: places.map { alphabet[$0] }, as: UTF8.self)
  }

  /// The SHA-256 of a code as somebody typed it: in any case, with spaces and dashes where they like; nil if it can't
  /// be one.
  static func hash(_ text: String) -> [UInt8]? {
    guard text.utf8.count <= 64 else { return nil }
    let typed = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
    let code = typed.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 ? $0 - 32 : $0 }
    guard code.count == 16, code.allSatisfy({ alphabet.contains($0) }) else { return nil }
    return TokenHash(String(decoding: code, as: UTF8.self)).bytes
  }
}
