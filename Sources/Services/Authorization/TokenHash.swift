internal import CSodium

/// SHA-256 of a token: what is kept and compared instead of the token.
public struct TokenHash: Sendable, Hashable {
  public let bytes: [UInt8]

  public init(_ token: String) {
    let text = Array(token.utf8)
    bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      crypto_hash_sha256(buffer.baseAddress!, text, UInt64(text.count))
      count = 32
    }
  }

  /// Compares in constant time.
  public func equals(_ other: TokenHash) -> Bool { sodium_memcmp(bytes, other.bytes, bytes.count) == 0 }

  /// A new token of 192 random bits, as 48 hexadecimal digits behind a prefix by which scanners recognise it.
  public static func newToken() -> String {
    var random = [UInt8](repeating: 0, count: 24)
    randombytes_buf(&random, random.count)
    let digits = Array("0123456789abcdef")
    return "tm_" + String(random.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
