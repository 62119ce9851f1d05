internal import Crypto

/// SHA-256 of a token: what is kept and compared instead of the token.
public struct TokenHash: Sendable, Hashable {
  /// In place of an array: millions of them are kept.
  private struct Words: Sendable, Hashable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    var fourth: UInt64 = 0
  }

  private var words = Words()

  /// - Parameter token: as the client shows it, its prefix included.
  public init(_ token: String) {
    let text = Array(token.utf8)
    withUnsafeMutableBytes(of: &words) { SHA256.write(of: text, to: $0) }
  }

  /// - Parameter bytes: SHA-256 of a token, 32 bytes.
  package init(bytes: [UInt8]) {
    precondition(bytes.count == 32, "SHA-256 has 32 bytes")
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// 32 bytes, as the database keeps them.
  public var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

  /// Enough to find it by: the hash of a token that the server made is as good as random.
  package var prefix: UInt64 { words.first }

  /// Compares in constant time.
  public func equals(_ other: TokenHash) -> Bool {
    withUnsafeBytes(of: words) { mine in
      withUnsafeBytes(of: other.words) { ConstantTime.equal(mine, $0) }
    }
  }

  /// A new token of 192 random bits, as 48 hexadecimal digits behind a prefix by which scanners recognise it.
  public static func newToken() -> String {
    "tm_" + Hexadecimal.text(of: SecureRandom.bytes(24))
  }
}
