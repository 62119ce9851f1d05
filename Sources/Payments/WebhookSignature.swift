internal import CSodium

/// The signature of a webhook, in the manner of Stripe's: the header
///
/// `TrackMe-Signature: t=<seconds since 1970>,v1=<64 hexadecimal digits>`
///
/// where `v1` is HMAC-SHA-256 (RFC 2104) of "<t>.<body>" under the shared secret. There may be several `v1`, for secrets
/// that are being replaced; other fields are ignored.
public struct WebhookSignature: Sendable {
  /// The header's name.
  public static let header = "TrackMe-Signature"
  /// How far the time of signing may be from ours: 5 minutes, either way.
  public static let toleranceSeconds: Int64 = 300

  /// Why a body is not to be believed.
  public enum Fault: Error, Sendable, Equatable {
    /// There is no signature, or it is not in this form.
    case malformed
    /// It was signed too long ago, or will be.
    case outsideTolerance
    /// Somebody else signed it, or something else was signed.
    case wrong
  }

  private let secret: [UInt8]

  /// - Parameter secret: shared with who signs; as bytes of UTF-8.
  public init(secret: String) { self.secret = Array(secret.utf8) }

  /// Checks a signature, in constant time.
  ///
  /// - Parameters:
  ///   - header: the header's value; nil if there was none.
  ///   - now: seconds since 1970.
  /// - Throws: `Fault`.
  public func verify(_ header: String?, body: [UInt8], now: Int64) throws(Fault) {
    guard let header, header.utf8.count <= 2_000 else { throw .malformed }
    var time: Int64?
    var tags: [[UInt8]] = []
    for part in header.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw .malformed }
      switch pair[0].filter({ $0 != " " }) {
      case "t":
        guard time == nil, pair[1].utf8.count <= 12, let seconds = Int64(pair[1]), seconds >= 0 else {
          throw .malformed
        }
        time = seconds
      case "v1":
        guard tags.count < 8, let tag = Self.bytes(pair[1]), tag.count == 32 else { throw .malformed }
        tags.append(tag)
      default: break
      }
    }
    guard let time, !tags.isEmpty else { throw .malformed }
    let expected = tag(of: body, at: time)
    var isRight = false
    for tag in tags where sodium_memcmp(tag, expected, expected.count) == 0 { isRight = true }
    guard isRight else { throw .wrong }
    guard abs(now - time) <= Self.toleranceSeconds else { throw .outsideTolerance }
  }

  /// The header's value for a body.
  /// - Parameter time: seconds since 1970.
  public func sign(_ body: [UInt8], at time: Int64) -> String {
    let digits = Array("0123456789abcdef")
    return "t=\(time),v1=" + String(tag(of: body, at: time).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private func tag(of body: [UInt8], at time: Int64) -> [UInt8] {
    Self.hmac(Array("\(time).".utf8) + body, key: secret)
  }

  /// HMAC-SHA-256 with a key of any length.
  static func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    // Uninitialized: libsodium writes all 32 bytes.
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      crypto_auth_hmacsha256_final(&state, buffer.baseAddress!)
      count = 32
    }
  }

  private static func bytes(_ hexadecimal: Substring) -> [UInt8]? {
    let digits = Array(hexadecimal.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
