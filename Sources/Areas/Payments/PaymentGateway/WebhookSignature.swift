internal import Crypto

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
        guard tags.count < 8, let tag = Hexadecimal.bytes(in: pair[1]), tag.count == 32 else { throw .malformed }
        tags.append(tag)
      default: break
      }
    }
    guard let time, !tags.isEmpty else { throw .malformed }
    let expected = tag(of: body, at: time)
    var isRight = false
    for tag in tags where ConstantTime.equal(tag, expected) { isRight = true }
    guard isRight else { throw .wrong }
    guard abs(now - time) <= Self.toleranceSeconds else { throw .outsideTolerance }
  }

  /// The header's value for a body.
  /// - Parameter time: seconds since 1970.
  public func sign(_ body: [UInt8], at time: Int64) -> String {
    "t=\(time),v1=" + Hexadecimal.text(of: tag(of: body, at: time))
  }

  private func tag(of body: [UInt8], at time: Int64) -> [UInt8] {
    SHA256.hmac(of: Array("\(time).".utf8) + body, key: secret)
  }
}
