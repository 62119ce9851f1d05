internal import CSodium

/// The secret of a race's private link: 256 random bits. It is shown when it is made; what is kept is its SHA-256.
struct InvitationSecret: Sendable {
  /// 43 characters of base64url (RFC 4648), without padding.
  let text: String

  init() {
    var random = [UInt8](repeating: 0, count: 32)
    randombytes_buf(&random, random.count)
    text = Self.base64URL(random)
  }

  static func base64URL(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
      for place in 0...group.count { text.append(digits[bits >> (18 - 6 * place) & 63]) }
    }
    return text
  }
}
