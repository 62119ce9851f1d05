internal import Crypto
internal import ServiceKit

/// The code with which somebody answers the question whether to be a person's contact: 128 random bits. It stands in the
/// message that asks; what is kept is its SHA-256.
struct ContactCode: Sendable {
  static let problem = "must be the 32 hexadecimal digits of a code"

  /// Of the 32 hexadecimal digits.
  let hash: [UInt8]
  private let digits: String

  /// A new code.
  init() {
    digits = Hexadecimal.text(of: SecureRandom.bytes(16))
    hash = TokenHash(digits).bytes
  }

  /// As somebody typed it: in any case, with spaces and dashes where they like; nil if it can't be one.
  init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let typed = text.lowercased().filter { $0 != " " && $0 != "-" }
    guard typed.utf8.count == 32, typed.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    digits = typed
    hash = TokenHash(typed).bytes
  }

  /// In groups of four, as people read it.
  var text: String {
    stride(from: 0, to: 32, by: 4).map { String(digits.dropFirst($0).prefix(4)) }.joined(separator: "-")
  }
}
